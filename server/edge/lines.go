package edge

import "bufio"

// maxLine bounds the buffer of an unfinished line, in bytes. It is more than the longest message of
// main.js.
const maxLine = 128 << 10

// lineWriter splits the output of a process into lines.
type lineWriter struct {
	take    func(line string)
	partial []byte
}

func (w *lineWriter) Write(piece []byte) (int, error) {
	w.partial = append(w.partial, piece...)
	for {
		advance, line, _ := bufio.ScanLines(w.partial, false) // never fails
		if advance == 0 {
			break
		}
		w.take(string(line))
		w.partial = w.partial[advance:]
	}
	if len(w.partial) > maxLine {
		w.take(string(w.partial))
		w.partial = nil
	}
	return len(piece), nil
}
