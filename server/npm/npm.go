// Package npm reads packages from an npm registry: the one that npm itself is configured for.
package npm

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// DefaultRegistry is used where npm is neither configured nor installed. It is set at build time:
// -ldflags "-X plaza/server/npm.DefaultRegistry=https://…". `make` takes it from npm's configuration.
var DefaultRegistry = ""

// Errors of this package.
var (
	// ErrRegistry means that no registry is known.
	ErrRegistry = errors.New("no npm registry is known: set npm_config_registry to its address")
	// ErrAnswer means that the registry gave no usable answer.
	ErrAnswer = errors.New("the npm registry did not answer as expected")
)

const (
	maxDescription  = 4 << 20 // bytes of a version's description
	describeTimeout = 20 * time.Second
	askTimeout      = 10 * time.Second // of `npm config get`
)

// Registry returns the address of the registry: that of the environment, of an .npmrc file in this
// folder or in the user's, the one that npm reports, or the default of the build.
//
// Errors: ErrRegistry if none of them has one; an address that is not valid.
func Registry(ctx context.Context) (string, error) {
	found := cmp.Or(os.Getenv("npm_config_registry"), os.Getenv("NPM_CONFIG_REGISTRY"), fromFile(".npmrc"), fromHome(), fromNPM(ctx), DefaultRegistry)
	if found == "" {
		return "", ErrRegistry
	}
	address, err := url.Parse(found)
	if err != nil || address.Host == "" || address.Scheme != "https" && address.Scheme != "http" {
		return "", fmt.Errorf("the npm registry's address %q is not one such as https://npm.example.com/", found)
	}
	return strings.TrimRight(found, "/"), nil
}

func fromHome() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return fromFile(filepath.Join(home, ".npmrc"))
}

// fromFile returns the registry of an .npmrc file, or "".
func fromFile(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), "=")
		if strings.TrimSpace(name) == "registry" {
			return os.ExpandEnv(strings.Trim(strings.TrimSpace(value), `"'`))
		}
	}
	return ""
}

// fromNPM returns the registry that npm reports, or "". npm reads further configuration files.
func fromNPM(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	answer, err := exec.CommandContext(ctx, "npm", "config", "get", "registry").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(answer))
}

// Version describes a version of a package.
type Version struct {
	Version string
	Dist    struct{ Tarball string }
}

// Describe returns the registry's description of a version of a package; version may be a tag such as "latest".
//
// Errors: ErrAnswer.
func Describe(ctx context.Context, client *http.Client, registry, name, version string) (Version, error) {
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	var described Version
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, registry+"/"+strings.ReplaceAll(name, "/", "%2f")+"/"+url.PathEscape(version), nil)
	if err != nil {
		return described, err
	}
	response, err := client.Do(request)
	if err != nil {
		return described, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return described, fmt.Errorf("%w: %s for %s@%s at %s", ErrAnswer, response.Status, name, version, registry)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxDescription))
	if err != nil {
		return described, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if err := json.Unmarshal(content, &described); err != nil || described.Version == "" {
		return described, fmt.Errorf("%w: no description of %s@%s at %s", ErrAnswer, name, version, registry)
	}
	return described, nil
}
