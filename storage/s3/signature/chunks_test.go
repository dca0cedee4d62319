package signature

import (
	"strings"
	"testing"
)

// receiveUnsigned reads a body with unsigned chunks.
func receiveUnsigned(t *testing.T, size, trailer, body string) (string, error) {
	t.Helper()
	s := &Signature{Payload: trailerUnsigned}
	return readBody(t, s, "X-Amz-Decoded-Content-Length: "+size+"\r\nX-Amz-Trailer: "+trailer+"\r\n", body)
}

func TestUnsignedChunks(t *testing.T) {
	t.Parallel()
	const crc, sum = "x-amz-checksum-crc32", "NhCmhg==" // of "hello"
	tests := []struct {
		name, size, trailer, body string
		want                      string
	}{
		{"one chunk", "5", crc, "5\r\nhello\r\n0\r\n" + crc + ":" + sum + "\r\n\r\n", ""},
		{"two chunks, spaces, capitals", "5", crc, "2\r\nhe\r\n3\r\nllo\r\n0\r\nX-Amz-Checksum-CRC32: " + sum + " \r\n\r\n", ""},
		{"no trailer announced", "5", "", "5\r\nhello\r\n0\r\n\r\n", "InvalidRequest"},
		{"an unknown one announced", "5", "x-amz-meta-a", "5\r\nhello\r\n0\r\n\r\n", "InvalidRequest"},
		{"the trailer is missing", "5", crc, "5\r\nhello\r\n0\r\n\r\n", "MalformedTrailerError"},
		{"another checksum", "5", crc, "5\r\nhello\r\n0\r\n" + crc + ":AAAAAA==\r\n\r\n", "BadDigest"},
		{"an invalid checksum", "5", crc, "5\r\nhello\r\n0\r\n" + crc + ":?\r\n\r\n", "InvalidRequest"},
		{"a trailer twice", "5", crc, "5\r\nhello\r\n0\r\n" + crc + ":" + sum + "\r\n" + crc + ":" + sum + "\r\n\r\n", "MalformedTrailerError"},
		{"trailers without an end", "5", crc, "5\r\nhello\r\n0\r\n" + crc + ":" + sum + "\r\n", "IncompleteBody"},
		{"too many trailers", "5", crc, "5\r\nhello\r\n0\r\n" + strings.Repeat("a:b\r\n", 3) + "\r\n", "MalformedTrailerError"},
		{"no last chunk", "5", crc, "5\r\nhello\r\n", "IncompleteBody"},
		{"cut in a chunk", "5", crc, "5\r\nhel", "IncompleteBody"},
		{"cut in a size", "5", crc, "5", "IncompleteBody"},
		{"nothing", "5", crc, "", "IncompleteBody"},
		{"more than was declared", "4", crc, "5\r\nhello\r\n0\r\n" + crc + ":" + sum + "\r\n\r\n", "IncompleteBody"},
		{"less than was declared", "6", crc, "5\r\nhello\r\n0\r\n" + crc + ":" + sum + "\r\n\r\n", "IncompleteBody"},
		{"a chunk longer than its size", "5", crc, "4\r\nhello\r\n0\r\n\r\n", "InvalidRequest"},
		{"an invalid size", "5", crc, "x\r\nhello\r\n0\r\n\r\n", "InvalidRequest"},
		{"a size below zero", "5", crc, "-5\r\nhello\r\n0\r\n\r\n", "InvalidRequest"},
		{"a size that is too large for any number", "5", crc, "ffffffffffffffffff\r\nhello\r\n0\r\n\r\n", "InvalidRequest"},
		{"a line without an end", "5", crc, strings.Repeat("0", 100_000), "InvalidRequest"},
		{"something after the end", "5", crc, "5\r\nhello\r\n0\r\n" + crc + ":" + sum + "\r\n\r\nmore", "InvalidRequest"},
		{"no size declared", "", crc, "0\r\n\r\n", "MissingContentLength"},
		{"an invalid size declared", "-1", crc, "0\r\n\r\n", "MissingContentLength"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			content, err := receiveUnsigned(t, tt.size, tt.trailer, tt.body)
			if codeOf(err) != tt.want || err == nil && content != "hello" {
				t.Errorf("%q, %v, want %q", content, err, tt.want)
			}
		})
	}
}

func TestChecksums(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, headers, payload, want string }{
		{"none", "", "", ""},
		{"md5", "Content-MD5: XUFAKrxLKna5cZ2REBfFkg==\r\n", "", ""},
		{"another md5", "Content-MD5: AUFAKrxLKna5cZ2REBfFkg==\r\n", "", "BadDigest"},
		{"no md5", "Content-MD5: abc\r\n", "", "InvalidDigest"},
		{"an empty md5", "Content-MD5: \r\n", "", "InvalidDigest"},
		{"sha256 of the body", "", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", ""},
		{"another sha256 of the body", "", "3cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "XAmzContentSHA256Mismatch"},
		{"something else", "", "STREAMING-UNKNOWN", "MissingContentLength"},
		{"another algorithm", "X-Amz-Decoded-Content-Length: 5\r\n", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", "NotSupported"},
		{"no hash", "", "abc", "InvalidRequest"},
		{"crc32", "x-amz-checksum-crc32: NhCmhg==\r\n", "", ""},
		{"crc32c", "x-amz-checksum-crc32c: mnG7TA==\r\n", "", ""},
		{"sha1", "x-amz-checksum-sha1: qvTGHdzF6KLavt4PO0gs2a6pQ00=\r\n", "", ""},
		{"sha256", "x-amz-checksum-sha256: LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=\r\n", "", ""},
		{"another sha256", "x-amz-checksum-sha256: MPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=\r\n", "", "BadDigest"},
		{"a checksum of another length", "x-amz-checksum-sha1: NhCmhg==\r\n", "", "InvalidRequest"},
		{"two checksums", "x-amz-checksum-crc32: NhCmhg==\r\nx-amz-checksum-crc32c: mnG7TA==\r\n", "", "InvalidRequest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			content, err := readBody(t, &Signature{Payload: tt.payload}, tt.headers, "hello")
			if codeOf(err) != tt.want || err == nil && content != "hello" {
				t.Errorf("%q, %v, want %q", content, err, tt.want)
			}
		})
	}
}
