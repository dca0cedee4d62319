//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// rightFor is how long the clock of such a server is right: one that is off at the start is refused.
const rightFor = 20 * time.Second

// clockOff returns a fault in which a server's clock is off by a time that a server is not started with.
func clockOff(name, title string, offset time.Duration) fault {
	return fault{
		name: name, title: title,
		prepare: func(ctx context.Context, c *cluster) error { return c.buildClockOff(ctx, name, offset) },
		run: func(ctx context.Context, c *cluster) error {
			s := c.servers[len(c.servers)-1]
			err := c.replaceServer(ctx, s, c.clockOffBinary(name))
			if err != nil {
				return err
			}
			pause(ctx, rightFor+30*time.Second)
			return c.replaceServer(ctx, s, c.binary)
		},
	}
}

// replaceServer stops a server and starts another binary in its place.
func (c *cluster) replaceServer(ctx context.Context, s *server, binary string) error {
	s.stopped = true
	if err := s.process.Stop(ctx, stopTimeout); err != nil {
		return err
	}
	s.binary = binary
	if err := c.startServer(s); err != nil {
		return err
	}
	return c.waitServer(ctx, s)
}

func (c *cluster) clockOffBinary(name string) string { return filepath.Join(c.Folder, name) }

// buildClockOff builds a server whose time.Now is off by a time once it has run for rightFor. Go reads the clock
// without calling a library that could be replaced; elapsed times, which are measured by another clock, stay right.
func (c *cluster) buildClockOff(ctx context.Context, name string, offset time.Duration) error {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src/time/time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	const start = "\tmono -= startNano\n\tsec += unixToInternal - minWall\n"
	if bytes.Count(text, []byte(start)) != 1 {
		return fmt.Errorf("%s has changed: time.Now cannot be made wrong", source)
	}
	change := fmt.Sprintf("%s\tif mono > %d {\n\t\tsec += %d\n\t}\n", start, rightFor.Nanoseconds(), int64(offset.Seconds()))
	changed := c.clockOffBinary(name) + ".go"
	overlay := c.clockOffBinary(name) + ".json"
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(changed, bytes.Replace(text, []byte(start), []byte(change), 1), 0o600), os.WriteFile(overlay, replaced, 0o600)); err != nil {
		return err
	}
	fmt.Printf("· building a server for: %s\n", name)
	build := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", c.clockOffBinary(name), "./server")
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", build, err, output)
	}
	return nil
}
