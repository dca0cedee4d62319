package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
)

// document is an untrusted JSON object. Its values may have any type.
type document map[string]any

func parseDocument(text []byte) (document, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // keeps numeric user ids exact
	var found document
	if err := decoder.Decode(&found); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more text after the JSON object")
	}
	return found, nil
}

// object returns the object at a path, or nil if there is none.
func (d document) object(path ...string) document {
	for _, name := range path {
		inner, _ := d[name].(map[string]any)
		d = inner
	}
	return d
}

// text returns a string or number as a string, and "" for other types.
func (d document) text(name string) string {
	switch value := d[name].(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	}
	return ""
}

// boolean returns a boolean that a provider may write as true, "true", 1 or "1".
func (d document) boolean(name string) bool {
	switch value := d[name].(type) {
	case bool:
		return value
	case string, json.Number:
		truth, err := strconv.ParseBool(fmt.Sprint(value))
		return err == nil && truth
	}
	return false
}

// list returns the objects of an array.
func (d document) list(name string) []document {
	items, _ := d[name].([]any)
	var found []document
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			found = append(found, object)
		}
	}
	return found
}

// fetch sends a GET request to a provider's API with the user's access token.
func (p *Provider) fetch(ctx context.Context, address string, tokens Tokens, header http.Header) (document, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	for name := range header {
		request.Header.Set(name, header.Get(name))
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "plaza") // GitHub requires one
	tokens.token.SetAuthHeader(request)
	body, err := get(p.client, request)
	if err != nil {
		return nil, err
	}
	// Some APIs return an array.
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' {
		body = slices.Concat([]byte(`{"items":`), trimmed, []byte(`}`))
	}
	found, err := parseDocument(body)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", request.URL.Path, err)
	}
	return found, nil
}

// get sends a request and returns the response body. The status must be 200.
func get(client *http.Client, request *http.Request) ([]byte, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", request.URL.Host+request.URL.Path, response.Status)
	}
	return body, nil
}
