package signature

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"plaza/server/apierr"
)

// Keys and requests of the examples in the documentation of Amazon S3.
const (
	exampleKey    = "AKIAIOSFODNN7EXAMPLE"
	exampleSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

	exampleGet = "GET /test.txt HTTP/1.1\r\nHost: examplebucket.s3.amazonaws.com\r\nRange: bytes=0-9\r\n" +
		"x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\r\nx-amz-date: 20130524T000000Z\r\n" +
		"Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request," +
		"SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41\r\n\r\n"

	examplePresigned = "GET /test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
		"&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
		"&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404 HTTP/1.1\r\nHost: examplebucket.s3.amazonaws.com\r\n\r\n"

	exampleChunked = "PUT /examplebucket/chunkObject.txt HTTP/1.1\r\nHost: s3.amazonaws.com\r\nx-amz-date: 20130524T000000Z\r\n" +
		"x-amz-storage-class: REDUCED_REDUNDANCY\r\nAuthorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request," +
		"SignedHeaders=content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class," +
		"Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9\r\nx-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD\r\n" +
		"Content-Encoding: aws-chunked\r\nx-amz-decoded-content-length: 66560\r\nContent-Length: 66824\r\n\r\n"
)

// exampleChunks is the body of exampleChunked.
func exampleChunks() string {
	return "10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n" + strings.Repeat("a", 65536) + "\r\n" +
		"400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n" + strings.Repeat("a", 1024) + "\r\n" +
		"0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n"
}

// exampleTime is the time of the signatures.
var exampleTime = time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)

func verifierAt(now time.Time) *Verifier {
	return &Verifier{Region: "us-east-1", Now: func() time.Time { return now }}
}

// receive verifies a request as a server does, and returns its body.
func receive(text string, v *Verifier, secret string) (content []byte, err error) {
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		return nil, err
	}
	s, err := Parse(r)
	if err != nil {
		return nil, err
	}
	if s.Scope.AccessKey != exampleKey {
		return nil, apierr.New(403, "AccessDenied", "Invalid Access Key")
	}
	if err := v.Verify(r, s, secret); err != nil {
		return nil, err
	}
	body, err := s.Body(r, secret)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(body)
}

// codeOf returns the code of an error for clients, else the error's text.
func codeOf(err error) string {
	if known := apierr.As(err); known != nil {
		return known.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestAmazonsExamples(t *testing.T) {
	t.Parallel()
	v := verifierAt(exampleTime)
	for _, request := range []string{exampleGet, examplePresigned} {
		if _, err := receive(request, v, exampleSecret); err != nil {
			t.Errorf("%.60s…: %v", request, err)
		}
	}
	content, err := receive(exampleChunked+exampleChunks(), v, exampleSecret)
	if err != nil || string(content) != strings.Repeat("a", 66560) {
		t.Errorf("%d bytes, %v", len(content), err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	replace := func(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }
	tests := []struct {
		name, request string
		at            time.Duration // since the time of the signature
		want          string
	}{
		{"not signed", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 0, "AccessDenied"},
		{"an older signature", "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: AWS AKIA:abc=\r\n\r\n", 0, "AccessDenied"},
		{"15 minutes late", exampleGet, 15 * time.Minute, ""},
		{"15 minutes early", exampleGet, -15 * time.Minute, ""},
		{"later than 15 minutes", exampleGet, 15*time.Minute + time.Second, "RequestTimeTooSkewed"},
		{"earlier than 15 minutes", exampleGet, -15*time.Minute - time.Second, "RequestTimeTooSkewed"},
		{"a presigned address within its time", examplePresigned, day, ""},
		{"a presigned address after its time", examplePresigned, day + time.Second, "ExpiredToken"},
		{"a presigned address of the future", examplePresigned, -16 * time.Minute, "RequestTimeTooSkewed"},
		{"a changed expiry", replace(examplePresigned, "Expires=86400", "Expires=86401"), 0, "SignatureDoesNotMatch"},
		{"an expiry of more than a week", replace(examplePresigned, "Expires=86400", "Expires=604801"), 0, "InvalidSignature"},
		{"an expiry that is no number", replace(examplePresigned, "Expires=86400", "Expires=-1"), 0, "InvalidSignature"},
		{"no expiry", replace(examplePresigned, "&X-Amz-Expires=86400", ""), 0, "InvalidSignature"},
		{"another parameter", replace(examplePresigned, " HTTP", "&versionId=1 HTTP"), 0, "SignatureDoesNotMatch"},
		{"a header of S3's that is not signed", replace(examplePresigned, "Host:", "x-amz-copy-source: /other/secret\r\nHost:"), 0, "AccessDenied"},
		{"a header that is missing", replace(exampleGet, "Range: bytes=0-9\r\n", ""), 0, "SignatureDoesNotMatch"},
		{"a host that is not signed", replace(exampleGet, "host;", ""), 0, "InvalidSignature"},
		{"headers out of order", replace(exampleGet, "host;range", "range;host"), 0, "InvalidSignature"},
		{"a date of another day", replace(exampleGet, "/20130524/", "/20130525/"), 0, "InvalidSignature"},
		{"another service", replace(exampleGet, "/s3/", "/iam/"), 0, "InvalidSignature"},
		{"another region", replace(exampleGet, "us-east-1", "eu-west-1"), 0, "SignatureDoesNotMatch"},
		{"an invalid date", replace(exampleGet, "x-amz-date: 20130524T000000Z", "x-amz-date: yesterday"), 0, "InvalidSignature"},
		{"a field twice", replace(exampleGet, "Signature=", "Signature=0,Signature="), 0, "InvalidSignature"},
		{"a body in a request without", replace(exampleGet, "Range:", "Content-Length: 1\r\nRange:") + "x", 0, "XAmzContentSHA256Mismatch"},
		{"chunks as they are", replace(examplePresigned, "Host:", "Content-Encoding: aws-chunked\r\nHost:"), 0, "InvalidRequest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := receive(tt.request, verifierAt(exampleTime.Add(tt.at)), exampleSecret); codeOf(err) != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestRegions(t *testing.T) {
	t.Parallel()
	open := &Verifier{Region: "eu-central-1", Now: func() time.Time { return exampleTime }}
	if _, err := receive(exampleGet, open, exampleSecret); err != nil {
		t.Errorf("us-east-1 is what clients say that do not know better: %v", err)
	}
	strict := &Verifier{Region: "eu-central-1", EnforceRegion: true, Now: open.Now}
	if _, err := receive(exampleGet, strict, exampleSecret); codeOf(err) != "AccessDenied" {
		t.Errorf("an enforced region: %v", err)
	}
}

func TestForwardedHostIsVerified(t *testing.T) {
	t.Parallel()
	v := verifierAt(exampleTime)
	behind := strings.Replace(exampleGet, "Host: examplebucket.s3.amazonaws.com", "Host: 10.0.0.1:5000\r\nX-Forwarded-Host: examplebucket.s3.amazonaws.com\r\nX-Forwarded-Port: 443", 1)
	if _, err := receive(behind, v, exampleSecret); err != nil {
		t.Error(err)
	}
	other := strings.Replace(behind, "X-Forwarded-Host: examplebucket", "X-Forwarded-Host: otherbucket", 1)
	if _, err := receive(other, v, exampleSecret); codeOf(err) != "SignatureDoesNotMatch" {
		t.Errorf("another host: %v", err)
	}
}

func TestConfiguredPrefixIsVerified(t *testing.T) {
	t.Parallel()
	short := strings.Replace(exampleChunked, "PUT /examplebucket/", "PUT /", 1) + exampleChunks()
	v := verifierAt(exampleTime)
	if _, err := receive(short, v, exampleSecret); codeOf(err) != "SignatureDoesNotMatch" {
		t.Errorf("a path that was not signed: %v", err)
	}
	// X-Forwarded-Prefix from the client is ignored: otherwise a path in one bucket
	// could be used for another bucket.
	forged := strings.Replace(short, "Host:", "X-Forwarded-Prefix: /examplebucket\r\nHost:", 1)
	if _, err := receive(forged, v, exampleSecret); codeOf(err) != "SignatureDoesNotMatch" {
		t.Errorf("a prefix of the client's: %v", err)
	}
	v.Prefix = "/examplebucket"
	if _, err := receive(short, v, exampleSecret); err != nil {
		t.Error(err)
	}
	if _, err := receive(exampleChunked+exampleChunks(), v, exampleSecret); err == nil {
		t.Error("the prefix need not be taken off")
	}
}

// TestFlippedBits flips each bit of signed requests, one at a time. A request that is
// still accepted must have the same meaning.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	v := verifierAt(exampleTime)
	for name, request := range map[string]string{"header": exampleGet, "presigned": examplePresigned, "chunks": exampleChunked + exampleChunks()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := receive(request, v, exampleSecret)
			if err != nil {
				t.Fatal(err)
			}
			let := 0
			for i := range len(request) {
				if around(request, i) == strings.Repeat("a", 40) {
					continue // in the middle of a chunk, where all bytes are alike
				}
				for bit := range 8 {
					changed := []byte(request)
					changed[i] ^= 1 << bit
					content, err := receive(string(changed), v, exampleSecret)
					if err != nil {
						continue
					}
					if let++; string(content) != string(want) || !harmless(request, i, bit) {
						t.Errorf("bit %d of byte %d may change: %q", bit, i, around(string(changed), i))
					}
				}
			}
			if _, err := receive(request, v, exampleSecret+"x"); codeOf(err) != "SignatureDoesNotMatch" {
				t.Errorf("another secret: %v", err)
			}
			t.Logf("%d changes mean the same", let)
		})
	}
}

// harmless reports whether a bit has no meaning: the case of a header's name or of a
// hexadecimal digit, the HTTP version, or a line ending.
func harmless(request string, i, bit int) bool {
	line := request[strings.LastIndex(request[:i], "\n")+1:]
	at := i - (len(request) - len(line))
	end := strings.IndexByte(line, '\n')
	first := len(request) == len(line)
	switch {
	case at == end || at == end-1: // CR LF
		return true
	case strings.HasPrefix(line, "Content-Length: "): // a leading zero
		return true
	case first:
		return at > strings.LastIndex(line[:end], " ") || bit == 5 && strings.Contains(line[max(0, at-2):at], "%")
	case strings.Contains(line[:end], "chunk-signature"):
		return bit == 5 && at < strings.IndexByte(line, ';')
	}
	return bit == 5 && at < strings.IndexByte(line, ':')
}

func around(text string, i int) string { return text[max(0, i-20):min(len(text), i+20)] }
