package auth

import (
	"encoding/json"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
)

// Bounds of what a user's metadata may become. Access tokens carry it, and the server
// takes 64 KB of request headers: a token with both kinds at their bound has 44 KB in
// base64, and what a project's hook may add is bounded by maxToken.
const (
	maxMetadata = 16 << 10 // bytes of each kind, as JSON in a token
	maxToken    = 56 << 10 // bytes of an access token
)

const codeMetadataSize = "metadata_too_large" // ours

var errTokenSize = autherr.Unprocessable(codeMetadataSize, "The access token would be larger than %d bytes, which no request can carry", maxToken)

// checkMetadata refuses metadata that would make tokens too large to be sent. It is
// for the end of the transaction that writes it, since changes are merged with what is
// there.
//
// Errors: 422 metadata_too_large.
func (u *User) checkMetadata() error {
	for name, data := range map[string]any{"user_metadata": u.UserMetadata, "app_metadata": u.AppMetadata} {
		encoded, err := json.Marshal(data) // escapes as in a token
		if err != nil {
			return err
		}
		if len(encoded) > maxMetadata {
			return apierr.New(errTokenSize.Status, codeMetadataSize, "%s cannot be larger than %d bytes as JSON", name, maxMetadata)
		}
	}
	return nil
}
