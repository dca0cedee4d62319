package storage_test

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestResumableUploadHeaders(t *testing.T) {
	t.Parallel()
	k := start(t, "UPLOAD_FILE_SIZE_LIMIT=12345", "TUS_URL_EXPIRY_MS=7200000")
	got := k.do(call{method: "OPTIONS", path: "/upload/resumable", header: map[string]string{
		"Origin": "https://a.example", "Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "x-own",
	}}).want(t, 204, "")
	for name, want := range map[string]string{
		"Tus-Version": "1.0.0", "Tus-Resumable": "1.0.0", "Tus-Extension": "creation,creation-with-upload,termination,expiration", "Tus-Max-Size": "12345",
		"Access-Control-Allow-Origin": "*",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("%s is %q", name, got.Header.Get(name))
		}
	}
	if allowed := strings.Split(got.Header.Get("Access-Control-Allow-Headers"), ", "); !slices.Contains(allowed, "X-Upsert") || !slices.Contains(allowed, "x-own") {
		t.Errorf("allowed %q", allowed)
	}
	u := k.resumable(k.token(ana)).with("Origin", "https://a.example")
	made := u.create(5, "bucketName", "own", "objectName", ana+"/a").want(t, 201, "")
	if exposed := made.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "Location") || !strings.Contains(exposed, "Upload-Offset") {
		t.Errorf("exposed %q", exposed)
	}
	expires, err := http.ParseTime(made.Header.Get("Upload-Expires"))
	if left := time.Until(expires); err != nil || left < time.Hour || left > 2*time.Hour {
		t.Errorf("the upload expires in %v (%v)", left, err)
	}
	state := u.send("HEAD", u.path(made), "", nil).want(t, 200, "").Header
	if state.Get("Upload-Length") != "5" || state.Get("Cache-Control") != "no-store" || state.Get("Upload-Metadata") != described("bucketName", "own", "objectName", ana+"/a") {
		t.Errorf("state %v", state)
	}
	override := u.send("POST", u.path(made), "01234", map[string]string{
		"X-HTTP-Method-Override": "PATCH", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
	})
	override.want(t, 204, "")
}

func TestResumableUploadLocations(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		settings []string
		header   map[string]string
		want     string
	}{
		{nil, map[string]string{"X-Forwarded-Host": "api.example.com", "X-Forwarded-Proto": "https"}, "https://api.example.com/storage/v1/"},
		{nil, map[string]string{"X-Forwarded-Host": "api.example.com", "X-Forwarded-Port": "8443"}, "http://api.example.com:8443/storage/v1/"},
		{nil, map[string]string{"X-Forwarded-Prefix": "/p", "X-Forwarded-Host": "h"}, "http://h/storage/v1/"},
		{[]string{"REQUEST_ALLOW_X_FORWARDED_PATH=true"}, map[string]string{"X-Forwarded-Prefix": "/p/", "X-Forwarded-Host": "h"}, "http://h/p/storage/v1/"},
		{[]string{"STORAGE_PUBLIC_URL=https://own.example"}, map[string]string{"X-Forwarded-Host": "h"}, "https://own.example/storage/v1/"},
	} {
		k := start(t, test.settings...)
		u := k.resumable(k.token(ana))
		for name, value := range test.header {
			u = u.with(name, value)
		}
		at := u.create(5, "bucketName", "own", "objectName", ana+"/a").want(t, 201, "").Header.Get("Location")
		id, is := strings.CutPrefix(at, test.want+"upload/resumable/")
		decoded, err := base64.RawURLEncoding.DecodeString(id)
		if !is || err != nil || !strings.HasPrefix(string(decoded), "own/"+ana+"/a/") {
			t.Errorf("%v %v: %s", test.settings, test.header, at)
		}
	}
}
