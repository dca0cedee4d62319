package image

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// fixChecksums corrects the checksums of a PNG's chunks in place. Other files are not
// changed. Go's decoder rejects wrong checksums, although the pixels may be intact;
// imgproxy ignores them.
func fixChecksums(file []byte) {
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
