package process

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"plaza/tests/testkit/freeport"
)

// documentedBlock returns the first fenced block in a language after a heading of a page in docs.
func documentedBlock(t *testing.T, page, heading, language string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs", page))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut("\n"+string(text), "\n"+heading+"\n")
	_, after, begun := strings.Cut(section, "```"+language+"\n")
	block, _, ended := strings.Cut(after, "```")
	if !found || !begun || !ended {
		t.Fatalf("docs/%s has no block of %s after %s", page, language, heading)
	}
	return block
}

// proxyHeading is the heading of docs/production.md after which the proxies' configurations are.
const proxyHeading = "## TLS and the proxy"

// documentedSettings returns the variables of docs/production.md, with values for those that it leaves open;
// each must be given.
func documentedSettings(t *testing.T, values map[string]string) []string {
	t.Helper()
	var environ []string
	for _, pair := range regexp.MustCompile(`(?m)([A-Z][A-Z0-9_]+)=(\S+)`).FindAllStringSubmatch(documentedBlock(t, "production.md", "# Running Plaza in production", "sh"), -1) {
		value, given := values[pair[1]]
		if !given {
			value = pair[2]
		}
		if strings.Contains(value, "…") {
			t.Errorf("the test has no value for %s", pair[1])
		}
		environ = append(environ, pair[1]+"="+value)
		delete(values, pair[1])
	}
	for name, value := range values {
		environ = append(environ, name+"="+value)
	}
	return environ
}

// replaceOne replaces a text that must occur exactly once.
func replaceOne(t *testing.T, text, old, fresh string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("the page's configuration has %q %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, fresh, 1)
}

// nginx runs the page's configuration in front of a server.
func nginx(t *testing.T, server string) (address string) {
	t.Helper()
	path, err := exec.LookPath("nginx")
	if err != nil {
		path = "/usr/sbin/nginx"
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal("this test needs nginx: apt-get install nginx-light")
	}
	dir := folder(t)
	certificate, key := selfSigned(t, dir)
	address = "127.0.0.1:" + freeport.Pick()
	block := documentedBlock(t, "production.md", proxyHeading, "nginx")
	block = replaceOne(t, block, "127.0.0.1:54321", server)
	block = replaceOne(t, block, "listen 443 ssl;", "listen "+address+" ssl;")
	block = replaceOne(t, block, "/etc/ssl/example.com.pem", `"`+certificate+`"`)
	block = replaceOne(t, block, "/etc/ssl/example.com.key", `"`+key+`"`)
	temporary := ""
	for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary += fmt.Sprintf("%s_temp_path %q;\n", name, filepath.Join(dir, name))
	}
	whole := fmt.Sprintf("daemon off; master_process off; pid %q; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n%s%s}\n", filepath.Join(dir, "pid"), temporary, block)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	startProxy(t, exec.Command(path, "-p", dir, "-c", file), address)
	return address
}

// caddy runs the page's configuration in front of a server.
func caddy(t *testing.T, server string) (address string) {
	t.Helper()
	path, err := exec.LookPath("caddy")
	if err != nil {
		t.Fatal("this test needs Caddy: apt-get install caddy")
	}
	dir := folder(t)
	certificate, key := selfSigned(t, dir)
	address = "127.0.0.1:" + freeport.Pick()
	_, port, _ := net.SplitHostPort(address)
	block := documentedBlock(t, "production.md", proxyHeading, "caddy")
	block = replaceOne(t, block, "127.0.0.1:54321", server)
	block = replaceOne(t, block, "example.com {\n", "https://example.com:"+port+" {\n  bind 127.0.0.1\n")
	block = replaceOne(t, block, "/etc/ssl/example.com.pem", `"`+certificate+`"`)
	block = replaceOne(t, block, "/etc/ssl/example.com.key", `"`+key+`"`)
	whole := fmt.Sprintf("{\n  admin off\n  auto_https disable_redirects\n  storage file_system %q\n  servers {\n    protocols h1 h2\n  }\n}\n%s", dir, block)
	file := filepath.Join(dir, "Caddyfile")
	if err := os.WriteFile(file, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, "run", "--config", file, "--adapter", "caddyfile")
	command.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	startProxy(t, command, address)
	return address
}

// startProxy runs a proxy until the test ends, and returns when it listens.
func startProxy(t *testing.T, command *exec.Cmd, address string) {
	t.Helper()
	var output bytes.Buffer
	command.Stderr = &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = command.Wait(); close(ended) }()
	t.Cleanup(func() { _ = command.Process.Kill(); <-ended })
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("%s does not take the page's configuration:\n%s", command.Path, &output)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func selfSigned(t *testing.T, dir string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "example.com"}, DNSNames: []string{"example.com"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(dir, "pem"), filepath.Join(dir, "key")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: made}, key: {Type: "PRIVATE KEY", Bytes: encoded}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

// relay accepts mails and stores them.
type relay struct {
	mails chan string
}

func (r relay) NewSession(*smtp.Conn) (smtp.Session, error) { return relaySession{r}, nil }

type relaySession struct{ relay }

func (relaySession) Reset()                               {}
func (relaySession) Logout() error                        { return nil }
func (relaySession) Mail(string, *smtp.MailOptions) error { return nil }
func (relaySession) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (s relaySession) Data(body io.Reader) error {
	text, err := io.ReadAll(body)
	s.mails <- string(text)
	return err
}

func startRelay(t *testing.T) (port string, mails <-chan string) {
	t.Helper()
	r := relay{make(chan string, 10)}
	server := smtp.NewServer(r)
	listener := newListener(t)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	_, port, _ = net.SplitHostPort(listener.Addr().String())
	return port, r.mails
}
