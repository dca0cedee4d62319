package storage_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const filePart = "--b\r\nContent-Disposition: form-data; name=\"\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n"

func (k *kit) form(body io.Reader) answer {
	k.t.Helper()
	request, err := http.NewRequestWithContext(k.t.Context(), "POST", k.web.URL+"/storage/v1/object/own/"+ana+"/form", body)
	if err != nil {
		k.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+k.token(ana))
	request.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	response, err := k.web.Client().Do(request)
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, _ := io.ReadAll(response.Body)
	return answer{response, string(text)}
}

func TestAFormHasAtMostTenFields(t *testing.T) {
	t.Parallel()
	k := start(t)
	field := "--b\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n1\r\n"
	k.form(strings.NewReader(strings.Repeat(field, 11)+filePart)).want(t, http.StatusBadRequest, "InvalidRequest")
	k.form(strings.NewReader(strings.Repeat(field, 10)+filePart)).want(t, http.StatusOK, "")
}

func TestFormFieldsBeforeTheFileAreBounded(t *testing.T) {
	t.Parallel()
	k := start(t)
	long := strings.Repeat("x", 1<<10)
	var headers strings.Builder
	for i := range 3 << 10 {
		fmt.Fprintf(&headers, "X-%d: %s\r\n", i, long)
	}
	for _, body := range []string{
		"--b\r\nContent-Disposition: form-data; name=\"a\"\r\n" + headers.String() + "\r\n1\r\n",
		strings.Repeat(long+"\r\n", 3<<10),
	} {
		k.form(strings.NewReader(body+filePart)).want(t, http.StatusBadRequest, "EntityTooLarge")
	}
}
