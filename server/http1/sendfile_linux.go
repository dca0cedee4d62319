package http1

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// sendSection sends the unread rest of a section of a file by sendfile. ok is false if from
// is no such section. The file's own offset is not used, so that requests can share a file.
func (w *response) sendSection(from io.Reader) (sent int64, ok bool, err error) {
	section, ok := from.(*io.SectionReader)
	if !ok {
		return 0, false, nil
	}
	whole, begin, size := section.Outer()
	file, ok := whole.(*os.File)
	if !ok {
		return 0, false, nil
	}
	done, _ := section.Seek(0, io.SeekCurrent)
	connection, err := w.conn.SyscallConn()
	if err != nil {
		return 0, true, err
	}
	part := filePart{ahead: w.takeHeld(), file: int(file.Fd()), offset: begin + done, end: begin + size}
	if err = connection.Write(part.send); err == nil {
		err = part.err
	}
	runtime.KeepAlive(file) // its descriptor is used until here
	sent = part.offset - begin - done
	w.written += sent
	w.fail(err)
	return sent, true, err
}

// filePart is a part of a response: some bytes, and after them those of a file.
type filePart struct {
	ahead       []byte
	file        int
	offset, end int64
	err         error
}

// send sends as much as the socket takes. It reports whether that was all or p.err is set.
func (p *filePart) send(socket uintptr) (done bool) {
	for p.err == nil && (len(p.ahead) > 0 || p.offset < p.end) {
		var sent int
		if len(p.ahead) > 0 {
			sent, p.err = unix.SendmsgN(int(socket), p.ahead, nil, nil, unix.MSG_MORE)
			p.ahead = p.ahead[max(sent, 0):]
		} else if sent, p.err = unix.Sendfile(int(socket), p.file, &p.offset, int(p.end-p.offset)); sent == 0 && p.err == nil {
			return true // the file was truncated
		}
		switch p.err { // an unwrapped errno
		case unix.EAGAIN:
			p.err = nil
			return false
		case unix.EINTR:
			p.err = nil
		}
	}
	return true
}
