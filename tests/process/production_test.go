package process

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/tests/testkit/freeport"
	"plaza/tests/testkit/s3server"
)

// proxiedServer is a production server as described in docs/production.md.
type proxiedServer struct {
	*server
	address string // the proxy's address
	mails   <-chan string
	open    chan struct{} // what the edge function waits for
}

// startProxied starts the page's server behind a proxy, which gets the server's address and returns
// its own.
func startProxied(t *testing.T, proxy func(t *testing.T, server string) string) proxiedServer {
	t.Helper()
	b := proxiedServer{open: make(chan struct{})}
	objects := s3server.Start(t)
	objects.Bucket(t, "plaza")
	streams := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "first ")
		_ = http.NewResponseController(w).Flush()
		<-b.open
		_, _ = io.WriteString(w, "second")
	}))
	t.Cleanup(streams.Close)
	smtpPort, mails := startRelay(t)
	b.mails = mails
	port := freeport.Pick()
	dir := filepath.Join(folder(t), "data")
	environ := documentedSettings(t, map[string]string{
		"DATABASE_URL": ownCluster(t).URL(), "JWT_SECRET": strings.Repeat("0123456789abcdef", 4),
		"PLAZA_OPERATOR_NAME": "Example SL", "PLAZA_OPERATOR_ADDRESS": "Carrer Major 1, AD500 Andorra la Vella", "PLAZA_OPERATOR_EMAIL": "hello@example.com",
		"GOTRUE_SMTP_HOST": "127.0.0.1", "GOTRUE_SMTP_PORT": smtpPort, "GOTRUE_SMTP_USER": "", "GOTRUE_SMTP_PASS": "", "GOTRUE_SMTP_ADMIN_EMAIL": "plaza@example.com",
		"STORAGE_S3_BUCKET": "plaza", "STORAGE_S3_REGION": s3server.Region, "STORAGE_S3_ENDPOINT": objects.Endpoint, "STORAGE_S3_FORCE_PATH_STYLE": "true",
		"STORAGE_S3_ACCESS_KEY_ID": s3server.AccessKey, "STORAGE_S3_SECRET_ACCESS_KEY": s3server.SecretKey,
		"PLAZA_ADMIN_ADDR": "127.0.0.1:" + freeport.Pick(), "GOTRUE_EXTERNAL_PHONE_ENABLED": "false",
		"FUNCTIONS_UPSTREAM": streams.URL, "PLAZA_PORT": port, "PLAZA_DATA_DIR": dir,
	})
	b.server = run(t, port, []string{"serve"}, environ)
	if !b.waitReady(t) {
		t.Fatalf("the page's settings do not start:\n%s", b.output)
	}
	output, err := plaza(t, environ, "keys", "show")
	if err != nil {
		t.Fatal(output)
	}
	for line := range strings.Lines(output) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(line), " "); name {
		case "anon":
			b.keys.Anon = strings.TrimSpace(value)
		case "service_role":
			b.keys.Service = strings.TrimSpace(value)
		}
	}
	b.address = proxy(t, "127.0.0.1:"+port)
	return b
}

// client returns a client with a source address of this machine.
func (b proxiedServer) client(from string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, b.address)
		},
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
}

type answered struct {
	status int
	header http.Header
	body   string
}

func (b proxiedServer) ask(t *testing.T, c *http.Client, method, path, key string, body io.Reader, header http.Header) answered {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "https://example.com"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header.Clone()
	if request.Header == nil {
		request.Header = http.Header{}
	}
	if request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("apikey", key)
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := c.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answered{response.StatusCode, response.Header, string(text)}
}

func TestTheProductionPageBehindNginx(t *testing.T) {
	t.Parallel()
	testProductionPage(t, startProxied(t, nginx))
}

func TestTheProductionPageBehindCaddy(t *testing.T) {
	t.Parallel()
	testProductionPage(t, startProxied(t, caddy))
}

func testProductionPage(t *testing.T, b proxiedServer) {
	t.Run("limits hold by the client's address", func(t *testing.T) {
		t.Parallel()
		const burst = 30
		wrong := `{"type":"signup","email":"ana@shop.cat","token":"000000"}`
		try := func(from string, n int) int {
			// Headers that a client sends must be ignored, in every form. Only the proxy's own machine is
			// trusted.
			header := http.Header{"X-Forwarded-For": {fmt.Sprintf("198.51.100.%d", n)}, "Forwarded": {fmt.Sprintf("for=198.51.100.%d", n)}, "X-Real-Ip": {"127.0.0.1"}}
			if from == "127.0.0.1" {
				header = nil
			}
			return b.ask(t, b.client(from), http.MethodPost, "/auth/v1/verify", b.keys.Anon, strings.NewReader(wrong), header).status
		}
		var last int
		for n := range burst + 5 {
			last = try("127.0.0.2", n)
		}
		if last != http.StatusTooManyRequests {
			t.Errorf("after %d tries the status is %d", burst+5, last)
		}
		if status := try("127.0.0.3", 0); status != http.StatusForbidden {
			t.Errorf("another client: %d", status)
		}
		for n := range burst + 5 { // the machine itself is a client, too
			last = try("127.0.0.1", n)
		}
		if last != http.StatusTooManyRequests {
			t.Errorf("from the proxy's own address: %d", last)
		}
	})
	t.Run("every surface has the headers", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{
			"/", "/nothing-here.js", "/rest/v1/", "/rest/v1/nothing", "/auth/v1/settings", "/auth/v1/nothing", "/auth/v1/user", "/storage/v1/bucket", "/storage/v1/object/public/a/b",
			"/storage/v1/upload/resumable/x", "/storage/v1/s3/bucket", "/storage/v1/nothing", "/functions/v1/nothing", "/health", "/ready", "/inbox", "/openid/", "//", "/rest/v1/businesses?nope=1",
		} {
			found := b.ask(t, b.client("127.0.0.4"), http.MethodGet, path, b.keys.Anon, nil, nil)
			if got := found.header.Values("X-Content-Type-Options"); len(got) != 1 || got[0] != "nosniff" {
				t.Errorf("%s: %d X-Content-Type-Options %q", path, found.status, got)
			}
			if got := found.header.Get("Strict-Transport-Security"); got == "" {
				t.Errorf("%s has no Strict-Transport-Security", path)
			}
		}
		if found := b.ask(t, b.client("127.0.0.4"), http.MethodGet, "/inbox", b.keys.Anon, nil, nil); strings.Contains(found.body, "No mails") || found.header.Get("Content-Type") == "application/json" {
			t.Errorf("/inbox is there: %d %s", found.status, found.body)
		}
	})
	t.Run("mails go to the relay and link to the site", func(t *testing.T) {
		t.Parallel()
		found := b.ask(t, b.client("127.0.0.5"), http.MethodPost, "/auth/v1/signup", b.keys.Anon, strings.NewReader(`{"email":"berta@shop.cat","password":"Some-pass-1"}`), nil)
		if found.status != http.StatusOK {
			t.Fatalf("%d %s", found.status, found.body)
		}
		if mail := <-b.mails; !strings.Contains(mail, "https://example.com/") {
			t.Errorf("the mail is\n%s", mail)
		}
	})
	t.Run("large uploads pass, and so do keys with slashes", func(t *testing.T) { t.Parallel(); b.checkUploads(t) })
	t.Run("a part of a resumable upload is kept", func(t *testing.T) { t.Parallel(); b.checkResumable(t) })
	t.Run("answers stream", func(t *testing.T) {
		t.Parallel()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://example.com/functions/v1/streams", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+b.keys.Anon)
		response, err := b.client("127.0.0.6").Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		first := make([]byte, len("first "))
		if _, err := io.ReadFull(response.Body, first); err != nil || string(first) != "first " {
			t.Fatalf("%d %q %v", response.StatusCode, first, err)
		}
		close(b.open)
		if rest, err := io.ReadAll(response.Body); err != nil || string(rest) != "second" {
			t.Errorf("%q %v", rest, err)
		}
	})
}

func (b proxiedServer) checkUploads(t *testing.T) {
	c := b.client("127.0.0.7")
	b.bucket(t, c, "files")
	content := make([]byte, 20<<20)
	if _, err := rand.Read(content); err != nil {
		t.Fatal(err)
	}
	const path = "/storage/v1/object/files/a//b%20c/d.bin"
	header := http.Header{"Content-Type": {"application/octet-stream"}}
	if made := b.ask(t, c, http.MethodPost, path, b.keys.Service, bytes.NewReader(content), header); made.status != http.StatusOK {
		t.Fatalf("%d %s", made.status, made.body)
	}
	if found := b.ask(t, c, http.MethodGet, path, b.keys.Service, nil, nil); found.status != http.StatusOK || found.body != string(content) {
		t.Errorf("%d, %d bytes", found.status, len(found.body))
	}
}

func (b proxiedServer) bucket(t *testing.T, c *http.Client, name string) {
	t.Helper()
	made := b.ask(t, c, http.MethodPost, "/storage/v1/bucket", b.keys.Service, strings.NewReader(fmt.Sprintf(`{"id":%q,"name":%q}`, name, name)), nil)
	if made.status != http.StatusOK {
		t.Fatalf("%d %s", made.status, made.body)
	}
}

// checkResumable interrupts an upload in its middle: a buffering proxy would have passed nothing on.
func (b proxiedServer) checkResumable(t *testing.T) {
	c := b.client("127.0.0.8")
	b.bucket(t, c, "parts")
	encode := func(text string) string { return string(mustJSON(t, []byte(text))) }
	made := b.ask(t, c, http.MethodPost, "/storage/v1/upload/resumable", b.keys.Service, nil, http.Header{
		"Tus-Resumable": {"1.0.0"}, "Upload-Length": {"16777216"},
		"Upload-Metadata": {"bucketName " + encode("parts") + ",objectName " + encode("film")},
	})
	location := made.header.Get("Location")
	if made.status != http.StatusCreated || !strings.HasPrefix(location, "https://example.com/") {
		t.Fatalf("%d %q %s", made.status, location, made.body)
	}
	path := strings.TrimPrefix(location, "https://example.com")
	reader, writer := io.Pipe()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, location, reader)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"Tus-Resumable": {"1.0.0"}, "Upload-Offset": {"0"}, "Content-Type": {"application/offset+octet-stream"}, "Authorization": {"Bearer " + b.keys.Service}}
	request.ContentLength = 16777216
	var sent sync.WaitGroup
	sent.Go(func() {
		if response, err := c.Do(request); err == nil {
			_ = response.Body.Close()
		}
	})
	if _, err := writer.Write(make([]byte, 9<<20)); err != nil {
		t.Fatal(err)
	}
	_ = writer.CloseWithError(io.ErrUnexpectedEOF)
	sent.Wait()
	for end := time.Now().Add(time.Minute); ; {
		found := b.ask(t, c, http.MethodHead, path, b.keys.Service, nil, http.Header{"Tus-Resumable": {"1.0.0"}})
		if offset := found.header.Get("Upload-Offset"); found.status == http.StatusOK && offset != "" && offset != "0" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("nothing of the part was kept: %d %v", found.status, found.header)
		}
	}
}

// mustJSON returns bytes in base64, as JSON encodes them, without the quotes.
func mustJSON(t *testing.T, text []byte) []byte {
	t.Helper()
	encoded, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Trim(encoded, `"`)
}

func TestProductionRefusesEachUnsafeSetting(t *testing.T) {
	t.Parallel()
	const known = "super-secret-jwt-token-with-at-least-32-characters-long"
	for name, test := range map[string]struct{ setting, says string }{
		"the local stack's secret":               {"JWT_SECRET=" + known, "JWT_SECRET is a well-known one"},
		"the self-hosting example's secret":      {"JWT_SECRET=your-" + known, "JWT_SECRET is a well-known one"},
		"the local stack's S3 key":               {"S3_PROTOCOL_ACCESS_KEY_ID=x S3_PROTOCOL_ACCESS_KEY_SECRET=850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907", "S3_PROTOCOL_ACCESS_KEY_SECRET is the well-known one"},
		"the open inbox of mails":                {"GOTRUE_SMTP_HOST=", "GOTRUE_SMTP_HOST is empty"},
		"the open inbox of messages":             {"GOTRUE_EXTERNAL_PHONE_ENABLED=true", "GOTRUE_SMS_PROVIDER is empty"},
		"no trusted proxies":                     {"PLAZA_TRUSTED_PROXIES=", "PLAZA_TRUSTED_PROXIES is empty"},
		"all IPv4 addresses are trusted proxies": {"PLAZA_TRUSTED_PROXIES=0.0.0.0/0", "PLAZA_TRUSTED_PROXIES has 0.0.0.0/0"},
		"all IPv6 addresses are trusted proxies": {"PLAZA_TRUSTED_PROXIES=127.0.0.1/32,::/0", "PLAZA_TRUSTED_PROXIES has ::/0"},
		"no limit of codes":                      {"GOTRUE_RATE_LIMIT_VERIFY=0", "GOTRUE_RATE_LIMIT_VERIFY is 0"},
		"no limit of passwords":                  {"GOTRUE_RATE_LIMIT_PASSWORD_FAILURES=0", "GOTRUE_RATE_LIMIT_PASSWORD_FAILURES is 0"},
		"no limit of mails":                      {"GOTRUE_RATE_LIMIT_EMAIL_SENT=0", "GOTRUE_RATE_LIMIT_EMAIL_SENT is 0"},
		"a site without TLS":                     {"SITE_URL=http://example.com", "SITE_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			environ := append(append([]string{}, safeSettings...), strings.Fields(test.setting)...)
			output, started := runMarketplace(t, filepath.Join(folder(t), "data"), environ...)
			if started || !strings.Contains(output, test.says) {
				t.Errorf("started: %t, output:\n%s", started, output)
			}
		})
	}
}
