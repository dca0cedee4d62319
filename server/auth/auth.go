// Package auth is the auth server: accounts, sessions and mails over HTTP, as
// GoTrue serves them.
package auth
