package auth

import (
	"plaza/server/auth/keys"
	"plaza/server/auth/settings"
)

// The server's settings, under the names that its users know.
type (
	Config         = settings.Config
	Captcha        = settings.Captcha
	Encryption     = settings.Encryption
	Hook           = settings.Hook
	LinkingDomains = settings.LinkingDomains
	Notices        = settings.Notices
	OAuthServer    = settings.OAuthServer
	Rate           = settings.Rate

	Keyring   = keys.Keyring
	StoredKey = keys.Stored
)
