package app

import (
	"errors"
	"net/netip"
	"strings"

	"plaza/server/config"
	"plaza/server/project"
)

// devPublic is the value of PLAZA_DEV_PUBLIC that allows a development server to
// listen on an address that is reachable from other machines.
const devPublic = "yes"

// checkExposure returns a description of what a development server exposes to other
// machines. It is empty if only this machine can reach the server.
//
// It returns an error if PLAZA_DEV_PUBLIC does not allow this.
func checkExposure(cfg config.Config, served project.Project) (string, error) {
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
	description := "development listens on " + cfg.Host + ", and whoever reaches it has " + strings.Join(open, ", ")
	if cfg.DevPublic != devPublic {
		return "", errors.New(description + ": set PLAZA_HOST=127.0.0.1, PLAZA_ENV=production, or PLAZA_DEV_PUBLIC=yes if that is intended")
	}
	return description, nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}
