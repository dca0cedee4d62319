package image

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// mendChecksums sets right the checksums of a PNG's chunks, in place, and leaves
// any other file as it is. Go's decoder refuses a wrong one, where the pixels may
// be all there; imgproxy passes over it.
func mendChecksums(file []byte) {
	rest, ok := bytes.CutPrefix(file, []byte("\x89PNG\r\n\x1a\n"))
	const around = 12 // length, type and checksum
	for ok && len(rest) >= around {
		size := int64(binary.BigEndian.Uint32(rest))
		if size > int64(len(rest)-around) {
			return
		}
		end := 8 + size
		binary.BigEndian.PutUint32(rest[end:], crc32.ChecksumIEEE(rest[4:end]))
		rest = rest[end+4:]
	}
}
