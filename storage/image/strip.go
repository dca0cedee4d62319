package image

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// ErrMalformed says that a picture's file breaks off, or is not put together as
// its format has it.
var ErrMalformed = errors.New("the picture's file is malformed")

// StripMetadata returns a JPEG, PNG or WebP file without what cameras and programs
// write beside the pixels: places, times, names, texts, previews, and whatever
// follows the picture's end. Pixels, colour profiles, animation and the way the
// camera was held stay as they are. Any other file comes through unchanged.
//
// It keeps up to 64 KB of the file in memory. Reading it fails with ErrMalformed or
// with the error of from.
func StripMetadata(from io.Reader) io.Reader {
	return &stripper{in: bufio.NewReaderSize(from, stripBuffer)}
}

// stripBuffer holds the largest segment of a JPEG, which may have to be looked at.
const stripBuffer = 1<<16 + 4

// stripper hands out pieces of a file, one after another.
type stripper struct {
	in      *bufio.Reader
	piece   io.Reader                 // what is handed out now
	need    int64                     // bytes that piece must still take from in; they are all of it
	advance func() (io.Reader, error) // gives the next piece; io.EOF after the last
}

func (s *stripper) Read(to []byte) (int, error) {
	for {
		if s.piece != nil {
			n, err := s.piece.Read(to)
			if s.need > 0 {
				s.need -= int64(n)
			}
			switch {
			case n > 0, err != nil && !errors.Is(err, io.EOF):
				return n, cause(err)
			case err == nil:
				continue
			case s.need > 0:
				return 0, ErrMalformed
			}
			s.piece = nil
		}
		if err := s.step(); err != nil {
			return 0, err
		}
	}
}

// cause leaves out the end of one piece, after which others come.
func cause(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (s *stripper) step() (err error) {
	if s.advance == nil {
		s.advance = s.begin
	}
	s.piece, err = s.advance()
	return err
}

// copied is a piece of as many of the file's own bytes.
func (s *stripper) copied(bytes int64) io.Reader {
	s.need = bytes
	return io.LimitReader(s.in, bytes)
}

// begin tells the format by the first bytes.
func (s *stripper) begin() (io.Reader, error) {
	const riff = 12
	head, err := s.in.Peek(riff)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xd8, 0xff}):
		s.advance = s.jpegSegment
		return s.copied(2), nil
	case bytes.HasPrefix(head, pngSignature):
		s.advance = s.pngChunk
		return s.copied(int64(len(pngSignature))), nil
	case len(head) == riff && string(head[:4]) == "RIFF" && string(head[8:]) == "WEBP":
		left := int64(binary.LittleEndian.Uint32(head[4:])) - 4
		s.advance = func() (io.Reader, error) { return s.webpChunk(&left) }
		return s.copied(riff), nil
	}
	s.advance = func() (io.Reader, error) { return nil, io.EOF }
	return s.in, nil
}

// peek looks at bytes that a format needs.
func (s *stripper) peek(bytes int) ([]byte, error) {
	head, err := s.in.Peek(bytes)
	if errors.Is(err, io.EOF) {
		return head, ErrMalformed
	}
	return head, err
}

// skip leaves bytes out.
func (s *stripper) skip(bytes int64) error {
	n, err := io.CopyN(io.Discard, s.in, bytes)
	if n < bytes && (err == nil || errors.Is(err, io.EOF)) {
		return ErrMalformed
	}
	return err
}

// nothing is a piece of no bytes.
func nothing() io.Reader { return bytes.NewReader(nil) }

// uprightTIFF says no more than how the camera was held.
func uprightTIFF(o orientation) []byte {
	tiff := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
	tiff[19] = byte(o)
	return tiff
}

// turned reports whether a picture without the note would be shown otherwise.
func (o orientation) turned() bool { return o >= 2 && o <= 8 }

// Markers of a JPEG.
const (
	jpegSOI, jpegEOI, jpegSOS, jpegCOM = 0xd8, 0xd9, 0xda, 0xfe
	jpegAPP0, jpegAPP15                = 0xe0, 0xef
)

// jpegSegment is one segment, or what of it stays.
func (s *stripper) jpegSegment() (io.Reader, error) {
	head, err := s.peek(2)
	if err != nil {
		return nil, err
	}
	if head[0] != 0xff {
		return nil, ErrMalformed
	}
	marker := head[1]
	switch {
	case marker == 0xff: // a segment may be preceded by more of these
		return nothing(), s.skip(1)
	case marker == jpegEOI:
		s.advance = func() (io.Reader, error) { return nil, io.EOF } // and what follows is left out
		return s.copied(2), nil
	case marker == 0 || marker == 1 || marker >= 0xd0 && marker <= jpegSOI:
		return nil, ErrMalformed
	}
	if head, err = s.peek(4); err != nil {
		return nil, err
	}
	size := 2 + int(binary.BigEndian.Uint16(head[2:]))
	if size < 4 {
		return nil, ErrMalformed
	}
	if marker == jpegSOS {
		s.advance = s.jpegScan
		return s.copied(int64(size)), nil
	}
	if marker != jpegCOM && (marker < jpegAPP0 || marker > jpegAPP15) {
		return s.copied(int64(size)), nil
	}
	segment, err := s.peek(size)
	if err != nil {
		return nil, err
	}
	if keepsSegment(marker, segment[4:]) {
		return s.copied(int64(size)), nil
	}
	instead := nothing()
	if exif, ok := bytes.CutPrefix(segment[4:], []byte("Exif\x00\x00")); ok && marker == jpegAPP0+1 {
		if held := orientationIn(exif); held.turned() {
			tiff := uprightTIFF(held)
			instead = io.MultiReader(bytes.NewReader([]byte{0xff, marker, 0, byte(2 + 6 + len(tiff))}),
				bytes.NewReader([]byte("Exif\x00\x00")), bytes.NewReader(tiff))
		}
	}
	return instead, s.skip(int64(size))
}

// keepsSegment tells which application segments a picture is shown by: the pixels'
// shape, the colour profile, and how Adobe's programs coded colours.
func keepsSegment(marker byte, content []byte) bool {
	switch marker {
	case jpegAPP0:
		return bytes.HasPrefix(content, []byte("JFIF\x00"))
	case jpegAPP0 + 2:
		return bytes.HasPrefix(content, []byte("ICC_PROFILE\x00"))
	case jpegAPP0 + 14:
		return bytes.HasPrefix(content, []byte("Adobe"))
	}
	return false
}

// jpegScan is coded pixels, as far as they are in memory. A file that breaks off
// there shows what came.
func (s *stripper) jpegScan() (io.Reader, error) {
	if _, err := s.in.Peek(2); err != nil {
		s.advance = func() (io.Reader, error) { return nil, io.EOF }
		if errors.Is(err, io.EOF) {
			return s.in, nil
		}
		return nil, err
	}
	held, _ := s.in.Peek(s.in.Buffered())
	for at := 0; ; {
		next := bytes.IndexByte(held[at:], 0xff)
		switch {
		case next < 0:
			return s.copied(int64(len(held))), nil
		case at+next+1 == len(held) && at+next > 0: // its marker is still to come
			return s.copied(int64(at + next)), nil
		}
		at += next
		if marker := held[at+1]; marker != 0 && (marker < 0xd0 || marker > 0xd7) {
			s.advance = s.jpegSegment
			return s.copied(int64(at)), nil
		}
		at += 2
	}
}

var pngSignature = []byte("\x89PNG\r\n\x1a\n")

// pngKept are the chunks that a PNG is shown by beside those it cannot do without,
// whose names begin with a capital letter.
var pngKept = map[string]bool{
	"cHRM": true, "gAMA": true, "iCCP": true, "sBIT": true, "sRGB": true, "cICP": true, "mDCV": true, "cLLI": true,
	"bKGD": true, "hIST": true, "tRNS": true, "pHYs": true, "sPLT": true, "acTL": true, "fcTL": true, "fdAT": true,
}

// pngChunk is one chunk, or what of it stays.
func (s *stripper) pngChunk() (io.Reader, error) {
	head, err := s.peek(8)
	if err != nil {
		return nil, err
	}
	const around = 12 // length, name and checksum
	length, name := int64(binary.BigEndian.Uint32(head)), string(head[4:8])
	switch {
	case name == "IEND":
		s.advance = func() (io.Reader, error) { return nil, io.EOF }
		return s.copied(length + around), nil
	case name[0] >= 'A' && name[0] <= 'Z' || pngKept[name]:
		return s.copied(length + around), nil
	case name == "eXIf" && length+around <= stripBuffer:
		chunk, err := s.peek(int(length + around))
		if err != nil {
			return nil, err
		}
		if held := orientationIn(chunk[8 : 8+length]); held.turned() {
			return bytes.NewReader(pngChunkOf("eXIf", uprightTIFF(held))), s.skip(length + around)
		}
	}
	return nothing(), s.skip(length + around)
}

func pngChunkOf(name string, content []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	chunk = append(append(chunk, name...), content...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// webpKept are the chunks that a WebP is shown by.
var webpKept = map[string]bool{"VP8 ": true, "VP8L": true, "ALPH": true, "ANIM": true, "ANMF": true, "ICCP": true}

// webpChunk is one chunk. The file's length stands at its beginning, which has gone
// out: what is left out of the file is therefore blotted out.
func (s *stripper) webpChunk(left *int64) (io.Reader, error) {
	if *left <= 0 {
		return nil, io.EOF
	}
	head, err := s.peek(8)
	if len(head) == 0 && errors.Is(err, ErrMalformed) {
		return nil, io.EOF // some programs count more than there is
	}
	if err != nil {
		return nil, err
	}
	size, name := int64(binary.LittleEndian.Uint32(head[4:])), string(head[:4])
	whole := 8 + size + size&1
	*left -= whole
	if *left < 0 {
		return nil, ErrMalformed
	}
	if webpKept[name] {
		return s.copied(whole), nil
	}
	const hasXMP = 1 << 2
	switch {
	case name == "VP8X" && size >= 1 && whole <= stripBuffer:
		chunk, err := s.peek(int(whole))
		if err != nil {
			return nil, err
		}
		chunk = bytes.Clone(chunk)
		chunk[8] &^= hasXMP
		return bytes.NewReader(chunk), s.skip(whole)
	case name == "EXIF" && whole <= stripBuffer:
		chunk, err := s.peek(int(whole))
		if err != nil {
			return nil, err
		}
		held := orientationIn(bytes.TrimPrefix(chunk[8:8+size], []byte("Exif\x00\x00")))
		blank := make([]byte, whole)
		copy(blank, chunk[:8])
		if tiff := uprightTIFF(max(held, 1)); int(size) >= len(tiff) {
			copy(blank[8:], tiff)
		}
		return bytes.NewReader(blank), s.skip(whole)
	}
	header := append([]byte("JUNK"), head[4:]...)
	return io.MultiReader(bytes.NewReader(header), io.LimitReader(zeros{}, whole-8)), s.skip(whole)
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(to []byte) (int, error) {
	clear(to)
	return len(to), nil
}
