package storage_test

import (
	"io"
	"net/http"
	"testing"
)

// A request whose client disappeared ends when another request wants the upload, and
// its connection is closed.
func TestNewerUploadRequestEndsTheOlderOne(t *testing.T) {
	t.Parallel()
	k := start(t)
	u := k.resumable(k.token(ana))
	path := u.begin(ana+"/a", 10)
	body, sender := io.Pipe()
	defer func() { _ = sender.Close() }()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, k.web.URL+"/storage/v1"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + u.as, "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
	} {
		request.Header.Set(name, value)
	}
	type result struct {
		status int
		closes bool
		err    error
	}
	older := make(chan result, 1)
	go func() {
		answer, err := k.web.Client().Do(request)
		if err != nil {
			older <- result{err: err}
			return
		}
		older <- result{status: answer.StatusCode, closes: answer.Close, err: answer.Body.Close()}
	}()
	if _, err := sender.Write([]byte("01234")); err != nil {
		t.Fatal(err)
	}
	for held := false; !held; {
		if err := k.db.QueryRow(t.Context(), `select exists (select from storage.resumable_uploads where holder is not null)`).Scan(&held); err != nil {
			t.Fatal(err)
		}
	}
	at := u.offset(path)
	if at != "0" && at != "5" {
		t.Errorf("offset %s", at)
	}
	if got := <-older; got.err != nil || got.status != http.StatusLocked || !got.closes {
		t.Errorf("the older one: %+v", got)
	}
	from := map[string]int{"0": 0, "5": 5}[at]
	u.patch(path, from, "0123456789"[from:]).want(t, 204, "")
	if got := k.do(call{method: "GET", path: "/object/own/" + ana + "/a", as: u.as}); got.body != "0123456789" {
		t.Errorf("%q", got.body)
	}
}
