package auth

import (
	"plaza/server/auth/keys"
	"plaza/server/auth/settings"
)

// Aliases of the server's settings for other packages.
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
