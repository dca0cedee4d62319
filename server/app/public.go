package app

import (
	"errors"
	"net/netip"
	"strings"

	"plaza/server/config"
	"plaza/server/project"
)

// devPublic is the value of PLAZA_DEV_PUBLIC that lets development listen on an
// address that others reach.
const devPublic = "yes"

// openToOthers returns a description of what a development server exposes on the
// address it listens on. It is empty where only this machine can reach it.
//
// Errors: unless PLAZA_DEV_PUBLIC says that this is meant.
func openToOthers(cfg config.Config, served project.Project) (string, error) {
	if cfg.Env != config.Development || isLoopback(cfg.Host) {
		return "", nil
	}
	var open []string
	if cfg.Auth.SMTP.Host == "" || cfg.Auth.SMS.Provider == "" {
		open = append(open, "the inbox with all mails and codes (/inbox)")
	}
	if len(served.Accounts) > 0 {
		open = append(open, "demo accounts with known passwords")
	}
	if config.IsKnownSecret(cfg.JWTSecret.Reveal()) {
		open = append(open, "well-known API keys")
	}
	open = append(open, "the tools of development")
	said := "development listens on " + cfg.Host + ", and whoever reaches it has " + strings.Join(open, ", ")
	if cfg.DevPublic != devPublic {
		return "", errors.New(said + ": set PLAZA_HOST=127.0.0.1, PLAZA_ENV=production, or PLAZA_DEV_PUBLIC=yes if that is meant")
	}
	return said, nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}
