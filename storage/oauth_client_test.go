package storage_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// An OAuth client can read its user's objects, but writes require the scope for it.
func TestOAuthClientsWriteObjectsOnlyWithTheScopeForIt(t *testing.T) {
	t.Parallel()
	k := start(t)
	token := func(scope string) string {
		made, err := k.auth.Verifier.Mint(map[string]any{
			"role": "authenticated", "sub": ana, "exp": time.Now().Add(time.Hour).Unix(), "scope": scope,
			"client_id": "0c000000-0000-4000-8000-000000000001", "session_id": "0d000000-0000-4000-8000-000000000001",
		})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	text := map[string]string{"Content-Type": "text/plain"}
	const object = "/object/own/" + ana + "/a.txt"
	if got := k.do(call{method: "POST", path: object, as: k.token(ana), header: text, body: "one"}); got.StatusCode != http.StatusOK {
		t.Fatalf("upload: %d %s", got.StatusCode, got.body)
	}
	reader, json := token("email"), map[string]string{"Content-Type": "application/json"}
	if got := k.do(call{method: "GET", path: object, as: reader}); got.body != "one" {
		t.Errorf("download: %d %s", got.StatusCode, got.body)
	}
	for _, c := range []call{
		{method: "POST", path: "/object/own/" + ana + "/b.txt", header: text, body: "two"},
		{method: "PUT", path: object, header: text, body: "two"},
		{method: "DELETE", path: object},
		{method: "DELETE", path: "/object/own", header: json, body: `{"prefixes":["` + ana + `/a.txt"]}`},
		{method: "POST", path: "/object/move", header: json, body: `{"bucketId":"own","sourceKey":"` + ana + `/a.txt","destinationKey":"` + ana + `/c.txt"}`},
		{method: "POST", path: "/object/copy", header: json, body: `{"bucketId":"own","sourceKey":"` + ana + `/a.txt","destinationKey":"` + ana + `/c.txt"}`},
		{method: "POST", path: "/object/upload/sign/own/" + ana + "/d.txt", header: json, body: `{}`},
		{method: "POST", path: "/upload/resumable", header: map[string]string{
			"Tus-Resumable": "1.0.0", "Upload-Length": "3", "Upload-Metadata": "bucketName b3du,objectName MGEwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAxL2UudHh0",
		}},
	} {
		c.as = reader
		if got := k.do(c); got.StatusCode < 400 || got.StatusCode >= 500 || !strings.Contains(got.body, "write") {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.StatusCode, got.body)
		}
	}
	if got := k.do(call{method: "GET", path: object, as: reader}); got.body != "one" {
		t.Errorf("afterwards: %d %s", got.StatusCode, got.body)
	}
	if got := k.do(call{method: "PUT", path: object, as: token("email write"), header: text, body: "two"}); got.StatusCode != http.StatusOK {
		t.Errorf("with the scope: %d %s", got.StatusCode, got.body)
	}
}
