package rest

import (
	"net/http"
	"strings"

	"plaza/server/apierr"
)

// mediaType is a form of answer.
type mediaType int

// The forms.
const (
	mediaJSON   mediaType = iota // application/json
	mediaArray                   // application/vnd.pgrst.array+json: the same under its own name
	mediaObject                  // application/vnd.pgrst.object+json: exactly one row
)

var contentTypes = map[mediaType]string{
	mediaJSON:   "application/json; charset=utf-8",
	mediaArray:  "application/vnd.pgrst.array+json; charset=utf-8",
	mediaObject: "application/vnd.pgrst.object+json; charset=utf-8",
}

// negotiate takes the first form the client accepts that is served.
//
// Errors: 406 PGRST107.
func negotiate(accept string) (mediaType, error) {
	if accept == "" {
		return mediaJSON, nil
	}
	for entry := range strings.SplitSeq(accept, ",") {
		name, _, _ := strings.Cut(entry, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "application/json", "*/*", "application/*":
			return mediaJSON, nil
		case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object":
			return mediaObject, nil
		case "application/vnd.pgrst.array+json", "application/vnd.pgrst.array":
			return mediaArray, nil
		}
	}
	return mediaJSON, apierr.New(http.StatusNotAcceptable, "PGRST107", "None of these media types are available: %s", accept)
}
