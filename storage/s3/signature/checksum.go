package signature

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"net/http"
	"strings"

	"plaza/server/apierr"
)

// checksumPrefix is the prefix of the headers and trailers that contain a checksum.
const checksumPrefix = "x-amz-checksum-"

// crc64nvme is the polynomial of NVM Express, lowest bit first.
var crc64nvme = crc64.MakeTable(0x9a6c9329ac4bc9b5)

// algorithms maps the suffixes of x-amz-checksum-… headers to hash functions.
var algorithms = map[string]func() hash.Hash{
	"crc32":     func() hash.Hash { return crc32.NewIEEE() },
	"crc32c":    func() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) },
	"crc64nvme": func() hash.Hash { return crc64.New(crc64nvme) },
	"sha1":      sha1.New,
	"sha256":    sha256.New,
}

// check is an expected digest of a body.
type check struct {
	hash.Hash
	name    string // of the header or trailer
	want    []byte // nil until the trailer is read
	failure error
}

func (c *check) verify() error {
	if !bytes.Equal(c.Sum(nil), c.want) {
		return c.failure
	}
	return nil
}

// Checksum is a verified checksum of a client.
type Checksum struct {
	Header string // "x-amz-checksum-crc32"
	Value  string // base64
}

// checksOf returns the checks that the headers of a request require for its body.
//
// Errors: 400 InvalidDigest, InvalidRequest.
func checksOf(headers http.Header, payload string) ([]*check, error) {
	var checks []*check
	if digest, err := hex.DecodeString(payload); err == nil && len(digest) == sha256.Size {
		checks = append(checks, &check{Hash: sha256.New(), want: digest, failure: apierr.New(400, "XAmzContentSHA256Mismatch",
			"The provided 'x-amz-content-sha256' header does not match what was computed.")})
	}
	if _, ok := headers["Content-Md5"]; ok {
		digest, err := base64.StdEncoding.DecodeString(headers.Get("Content-MD5"))
		if err != nil || len(digest) != md5.Size {
			return nil, apierr.New(400, "InvalidDigest", "The Content-MD5 you specified is not valid.")
		}
		checks = append(checks, &check{Hash: md5.New(), want: digest, failure: apierr.New(400, "BadDigest",
			"The Content-MD5 you specified did not match what we received.")})
	}
	found := 0
	for name := range headers {
		name = strings.ToLower(name)
		if !strings.HasPrefix(name, checksumPrefix) || algorithms[strings.TrimPrefix(name, checksumPrefix)] == nil {
			continue
		}
		if found++; found > 1 {
			return nil, apierr.New(400, "InvalidRequest", "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.")
		}
		one := checkFor(name)
		if err := one.expect(headers.Get(name)); err != nil {
			return nil, err
		}
		checks = append(checks, one)
	}
	return checks, nil
}

// checkFor returns a check for an x-amz-checksum- header or trailer, or nil if the name is
// unknown.
func checkFor(name string) *check {
	suffix, ok := strings.CutPrefix(name, checksumPrefix)
	create := algorithms[suffix]
	if !ok || create == nil {
		return nil
	}
	return &check{Hash: create(), name: name, failure: apierr.New(400, "BadDigest",
		"The %s you specified did not match the calculated checksum.", strings.ToUpper(suffix))}
}

// expect sets the expected value, in base64.
func (c *check) expect(value string) error {
	digest, err := base64.StdEncoding.DecodeString(value)
	if err != nil || len(digest) != c.Size() {
		return apierr.New(400, "InvalidRequest", "Value for %s header is invalid.", c.name)
	}
	c.want = digest
	return nil
}
