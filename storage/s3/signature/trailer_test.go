package signature

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7/pkg/signer"
)

// hasher is SHA-256 with the interface of minio-go's signer.
type hasher struct{ hash.Hash }

func (hasher) Close() {}

// signedTrailer is a request of minio-go as sent over the network.
func signedTrailer(t *testing.T, content string) (head, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://h/bucket/key", strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	request.Trailer = http.Header{"X-Amz-Checksum-Crc32": {"NhCmhg=="}}
	signed := signer.StreamingSignV4(request, exampleKey, exampleSecret, "", "us-east-1", int64(len(content)), exampleTime, hasher{sha256.New()})
	framed, err := io.ReadAll(signed.Body)
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	written.WriteString("PUT /bucket/key HTTP/1.1\r\nHost: h\r\n")
	if err := signed.Header.Write(&written); err != nil {
		t.Fatal(err)
	}
	written.WriteString("Content-Length: " + strconv.Itoa(len(framed)) + "\r\n\r\n")
	return written.String(), string(framed)
}

func TestFlippedBitsOfATrailer(t *testing.T) {
	t.Parallel()
	v := verifierAt(exampleTime)
	head, body := signedTrailer(t, "hello")
	if content, err := receive(head+body, v, exampleSecret); err != nil || string(content) != "hello" {
		t.Fatalf("%q, %v", content, err)
	}
	for i := range len(body) {
		for bit := range 8 {
			changed := []byte(body)
			changed[i] ^= 1 << bit
			content, err := receive(head+string(changed), v, exampleSecret)
			if err == nil && (string(content) != "hello" || !harmlessInTrailer(body, i, bit)) {
				t.Errorf("bit %d of byte %d may change: %q", bit, i, around(string(changed), i))
			}
		}
	}
	// A missing signature is invalid.
	end := strings.Index(body, "x-amz-trailer-signature")
	short := body[:end] + "\r\n"
	head = strings.Replace(head, "Content-Length: "+strconv.Itoa(len(body)), "Content-Length: "+strconv.Itoa(len(short)), 1)
	if _, err := receive(head+short, v, exampleSecret); err == nil {
		t.Error("trailers without a signature were taken")
	}
}

// harmlessInTrailer reports whether a bit has no meaning: in a line ending, or the case
// of a name.
func harmlessInTrailer(body string, i, bit int) bool {
	name := strings.LastIndexByte(body[:i], '\n') + 1
	return strings.IndexByte("\r\n", body[i]) >= 0 || bit == 5 && !strings.ContainsAny(body[name:i], ":;")
}
