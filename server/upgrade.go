package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"golang.org/x/mod/semver"

	"plaza/server/npm"
	"plaza/server/ops"
)

// packageName is the npm package that installs the binary (packaging/npm).
const packageName = "plaza-server"

func upgrade(ctx context.Context, args []string) error {
	set := flags("upgrade --check", "Compares the version with the newest release in npm's registry, and exits with 1 if that is newer. It installs nothing.")
	check := set.Bool("check", false, "compare the versions; required")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	if !*check {
		return errors.New("plaza upgrade installs nothing: use --check")
	}
	return checkVersion(ctx, os.Stdout, ops.Version)
}

// checkVersion compares a version with the newest release. If that is newer, it returns an error that
// says how to upgrade.
func checkVersion(ctx context.Context, out io.Writer, version string) error {
	registry, err := npm.Registry(ctx)
	if err != nil {
		return err
	}
	newest, err := npm.Describe(ctx, http.DefaultClient, registry, packageName, "latest")
	if err != nil {
		return err
	}
	latest, current := "v"+newest.Version, "v"+strings.TrimPrefix(version, "v")
	switch {
	case !semver.IsValid(latest):
		return fmt.Errorf("%w: %s@latest has the version %q", npm.ErrAnswer, packageName, newest.Version)
	case !semver.IsValid(current):
		fmt.Fprintf(out, "This build (%s) is no release; the newest release is %s.\n", version, latest)
	case semver.Compare(current, latest) < 0:
		return fmt.Errorf("%s is available, and this is %s: back up, read the changelog, then `npm install %s@latest`, or replace the binary", latest, current, packageName)
	default:
		fmt.Fprintf(out, "%s is the newest release.\n", current)
	}
	return nil
}
