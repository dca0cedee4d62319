package image

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// ErrMalformed means that an image file is truncated or violates its format.
var ErrMalformed = errors.New("the picture's file is malformed")

// StripMetadata returns a JPEG, PNG or WebP file without metadata: locations, times,
// names, texts, previews, and bytes after the end of the image. Pixels, colour profiles,
// animation and orientation are kept. Other files are not changed.
//
// It holds up to 64 KB of the file in memory. Reads fail with ErrMalformed or with the
// error of from.
func StripMetadata(from io.Reader) io.Reader {
	return &stripper{in: bufio.NewReaderSize(from, stripBuffer)}
}

// stripBuffer is sufficient for the largest segment of a JPEG, which may have to be
// inspected as a whole.
const stripBuffer = 1<<16 + 4

// stripper returns the pieces of a file one after another.
type stripper struct {
	in      *bufio.Reader
	piece   io.Reader                 // the current piece
	need    int64                     // remaining bytes of a piece that is copied from in
	advance func() (io.Reader, error) // returns the next piece, or io.EOF after the last
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
				return n, ignoreEOF(err)
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

// ignoreEOF returns nil for the end of a piece, since other pieces may follow.
func ignoreEOF(err error) error {
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

// copied returns a piece with the next bytes of the file.
func (s *stripper) copied(bytes int64) io.Reader {
	s.need = bytes
	return io.LimitReader(s.in, bytes)
}

// begin detects the format by the first bytes.
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

// peek returns the next bytes, which must exist, without consuming them.
func (s *stripper) peek(bytes int) ([]byte, error) {
	head, err := s.in.Peek(bytes)
	if errors.Is(err, io.EOF) {
		return head, ErrMalformed
	}
	return head, err
}

// skip discards bytes.
func (s *stripper) skip(bytes int64) error {
	n, err := io.CopyN(io.Discard, s.in, bytes)
	if n < bytes && (err == nil || errors.Is(err, io.EOF)) {
		return ErrMalformed
	}
	return err
}

// empty returns an empty piece.
func empty() io.Reader { return bytes.NewReader(nil) }

// orientationTIFF returns TIFF data that contains only an orientation.
func orientationTIFF(o orientation) []byte {
	tiff := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
	tiff[19] = byte(o)
	return tiff
}

// turned reports whether the image is displayed differently without its orientation.
func (o orientation) turned() bool { return o >= 2 && o <= 8 }

// Markers of a JPEG.
const (
	jpegSOI, jpegEOI, jpegSOS, jpegCOM = 0xd8, 0xd9, 0xda, 0xfe
	jpegAPP0, jpegAPP15                = 0xe0, 0xef
)

// jpegSegment returns the next segment, or its replacement.
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
	case marker == 0xff: // a segment may be preceded by fill bytes
		return empty(), s.skip(1)
	case marker == jpegEOI:
		s.advance = func() (io.Reader, error) { return nil, io.EOF } // drop everything after the end
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
	replacement := empty()
	if exif, ok := bytes.CutPrefix(segment[4:], []byte("Exif\x00\x00")); ok && marker == jpegAPP0+1 {
		if o := orientationIn(exif); o.turned() {
			tiff := orientationTIFF(o)
			replacement = io.MultiReader(bytes.NewReader([]byte{0xff, marker, 0, byte(2 + 6 + len(tiff))}),
				bytes.NewReader([]byte("Exif\x00\x00")), bytes.NewReader(tiff))
		}
	}
	return replacement, s.skip(int64(size))
}

// keepsSegment reports whether an application segment affects how the image is displayed:
// the pixel aspect ratio (JFIF), the colour profile, and Adobe's colour transform.
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

// jpegScan returns the buffered part of the coded pixels. A file that is truncated in the
// pixels is passed on.
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
		case at+next+1 == len(held) && at+next > 0: // the marker is not buffered yet
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

// pngKept lists the ancillary chunks that affect how a PNG is displayed. Critical chunks,
// whose names begin with a capital letter, are always kept.
var pngKept = map[string]bool{
	"cHRM": true, "gAMA": true, "iCCP": true, "sBIT": true, "sRGB": true, "cICP": true, "mDCV": true, "cLLI": true,
	"bKGD": true, "hIST": true, "tRNS": true, "pHYs": true, "sPLT": true, "acTL": true, "fcTL": true, "fdAT": true,
}

// pngChunk returns the next chunk, or its replacement.
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
		if o := orientationIn(chunk[8 : 8+length]); o.turned() {
			return bytes.NewReader(pngChunkOf("eXIf", orientationTIFF(o))), s.skip(length + around)
		}
	}
	return empty(), s.skip(length + around)
}

func pngChunkOf(name string, content []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	chunk = append(append(chunk, name...), content...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// webpKept lists the chunks that affect how a WebP is displayed.
var webpKept = map[string]bool{"VP8 ": true, "VP8L": true, "ALPH": true, "ANIM": true, "ANMF": true, "ICCP": true}

// webpChunk returns the next chunk. The file's length is in its header, which is already
// sent, so metadata is overwritten rather than removed.
func (s *stripper) webpChunk(left *int64) (io.Reader, error) {
	if *left <= 0 {
		return nil, io.EOF
	}
	head, err := s.peek(8)
	if len(head) == 0 && errors.Is(err, ErrMalformed) {
		return nil, io.EOF // some programs write a too large length
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
		o := orientationIn(bytes.TrimPrefix(chunk[8:8+size], []byte("Exif\x00\x00")))
		blank := make([]byte, whole)
		copy(blank, chunk[:8])
		if tiff := orientationTIFF(max(o, 1)); int(size) >= len(tiff) {
			copy(blank[8:], tiff)
		}
		return bytes.NewReader(blank), s.skip(whole)
	}
	header := append([]byte("JUNK"), head[4:]...)
	return io.MultiReader(bytes.NewReader(header), io.LimitReader(zeros{}, whole-8)), s.skip(whole)
}

// zeros is an endless reader of zero bytes.
type zeros struct{}

func (zeros) Read(to []byte) (int, error) {
	clear(to)
	return len(to), nil
}
