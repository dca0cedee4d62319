package storage_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestAnObjectComesBackAsItWasStored(t *testing.T) {
	t.Parallel()
	k := start(t)
	mine := k.token(ana)
	var stored struct{ ID, Key string }
	k.do(call{method: "POST", path: "/object/own/" + ana + "/note.txt", as: mine, body: "hello", header: map[string]string{
		"Content-Type": "text/plain", "Cache-Control": "max-age=60", "X-Metadata": "eyJhIjoxfQ==",
	}}).want(t, http.StatusOK, "").json(t, &stored)
	if stored.Key != "own/"+ana+"/note.txt" || stored.ID == "" {
		t.Errorf("stored %+v", stored)
	}
	got := k.do(call{method: "GET", path: "/object/own/" + ana + "/note.txt", as: mine}).want(t, http.StatusOK, "")
	if got.body != "hello" {
		t.Errorf("body %q", got.body)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/plain", "Cache-Control": "max-age=60", "Etag": `"5d41402abc4b2a76b9719d911017c592"`, "Content-Length": "5",
		"Accept-Ranges": "bytes", "X-Robots-Tag": "none", "X-Content-Type-Options": "nosniff",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
		}
	}
	var info struct {
		Size     int
		Metadata map[string]int
	}
	k.do(call{method: "GET", path: "/object/info/own/" + ana + "/note.txt", as: mine}).want(t, http.StatusOK, "").json(t, &info)
	if info.Size != 5 || info.Metadata["a"] != 1 {
		t.Errorf("info %+v", info)
	}
	k.do(call{method: "GET", path: "/object/own/" + ana + "/note.txt", as: k.token(ben)}).want(t, http.StatusBadRequest, "NoSuchKey")
	k.do(call{method: "GET", path: "/object/own/" + ana + "/note.txt"}).want(t, http.StatusBadRequest, "NoSuchBucket")
	if list := k.do(call{method: "POST", path: "/object/list/own", as: mine, body: `{"prefix":""}`}).want(t, http.StatusOK, ""); !strings.Contains(list.body, ana) {
		t.Errorf("list %s", list.body)
	}
	k.do(call{method: "DELETE", path: "/object/own/" + ana + "/note.txt", as: k.token(ben)}).want(t, http.StatusBadRequest, "AccessDenied")
	k.do(call{method: "DELETE", path: "/object/own/" + ana + "/note.txt", as: mine}).want(t, http.StatusOK, "")
	k.do(call{method: "DELETE", path: "/object/own/" + ana + "/note.txt", as: mine}).want(t, http.StatusBadRequest, "NoSuchKey")
}
