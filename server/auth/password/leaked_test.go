package password

import (
	"crypto/sha1"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func digest(text string) string { return fmt.Sprintf("%X", sha1.Sum([]byte(text))) }

func TestServiceReceivesFiveDigits(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		known, padding := digest("password1"), digest("never leaked")
		if r.Header.Get("User-Agent") != "tests" || len(r.URL.Path) != len("/range/ABCDE") {
			t.Errorf("requested %s", r.URL.Path)
		}
		if strings.HasSuffix(r.URL.Path, known[:5]) {
			_, _ = fmt.Fprintf(w, "0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n%s:2413945\r\n", known[5:])
		}
		if strings.HasSuffix(r.URL.Path, padding[:5]) {
			_, _ = fmt.Fprintf(w, "%s:0\r\n", padding[5:])
		}
	}))
	t.Cleanup(service.Close)
	list, err := NewLeaked(service.URL, "", "tests")
	if err != nil {
		t.Fatal(err)
	}
	for candidate, want := range map[string]bool{"password1": true, "never leaked": false, "Correct-Horse-1": false} {
		if got, err := list.Has(t.Context(), candidate); err != nil || got != want {
			t.Errorf("%q: %v, %v", candidate, got, err)
		}
	}
	service.Close()
	if _, err := list.Has(t.Context(), "password1"); err == nil {
		t.Error("no error without the service")
	}
}

func TestTheFileIsSearched(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]func(digest string, i int) string{
		"with counts":     func(digest string, i int) string { return fmt.Sprintf("%s:%d\r\n", digest, i*i*i) },
		"digests only":    func(digest string, _ int) string { return digest + "\n" },
		"in small digits": func(digest string, _ int) string { return strings.ToLower(digest) + "\n" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, size := range []int{0, 1, 2, 3, 100, 1000} {
				var digests []string
				for i := range size {
					digests = append(digests, digest(fmt.Sprint("leaked ", i)))
				}
				slices.Sort(digests)
				var text strings.Builder
				for i, one := range digests {
					text.WriteString(form(one, i))
				}
				whole := text.String()
				if size%2 == 1 {
					whole = strings.TrimRight(whole, "\r\n") // a last line without an end
				}
				path := filepath.Join(t.TempDir(), "leaked.txt")
				if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
					t.Fatal(err)
				}
				list, err := NewLeaked("", path, "")
				if err != nil {
					t.Fatal(err)
				}
				for i := range size + 50 {
					got, err := list.Has(t.Context(), fmt.Sprint("leaked ", i))
					if err != nil || got != (i < size) {
						t.Fatalf("%d of %d: %v, %v", i, size, got, err)
					}
				}
			}
		})
	}
	if _, err := NewLeaked("", "/missing", ""); err == nil {
		t.Error("a missing file is taken")
	}
}
