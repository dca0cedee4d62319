package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"plaza/server/apierr"
)

// Malformed returns the error for a body that is not a valid list of requests.
//
// Errors: 400 PLZ004.
func Malformed(format string, values ...any) error {
	return apierr.New(http.StatusBadRequest, "PLZ004", "The body is no list of requests").WithDetail(format, values...)
}

// Decode parses a list of requests.
//
// Errors: 400 PLZ004.
func Decode(body []byte) ([]Part, error) {
	parts, err := decode(json.NewDecoder(bytes.NewReader(body)))
	switch {
	case err != nil:
		return nil, Malformed("%s", strings.TrimPrefix(err.Error(), "json: "))
	case len(parts) == 0:
		return nil, Malformed("it is empty")
	}
	for number, part := range parts {
		if !strings.HasPrefix(part.Path, "/") {
			return nil, Malformed(`request %d has the path %q: it has to begin with "/"`, number, part.Path)
		}
	}
	return parts, nil
}

// decode stops at the first request beyond maxParts.
func decode(decoder *json.Decoder) (parts []Part, err error) {
	decoder.DisallowUnknownFields()
	switch start, err := decoder.Token(); {
	case err != nil:
		return nil, err
	case start != json.Delim('['):
		return nil, errors.New("it is no list")
	}
	for decoder.More() {
		if len(parts) == maxParts {
			return nil, fmt.Errorf("it has more than %d requests", maxParts)
		}
		var part Part
		if err := decoder.Decode(&part); err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the list")
	}
	return parts, nil
}
