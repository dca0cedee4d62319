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

// rightFor is how long a server of buildClockOff has the right time: with a clock that is off, it would not start.
const rightFor = 20 * time.Second

// clockError is how far the clock of such a server is off after that.
const clockError = 5 * time.Minute

// clockOff returns the fault that the clock of a running server goes ahead or behind. With such a clock it would not start.
func clockOff(direction string) fault {
	binary := func(c *cluster) string { return filepath.Join(c.Folder, "plaza-"+direction) }
	return fault{
		name: "clock-" + direction, title: fmt.Sprintf("a server's clock goes %.0f minutes %s", clockError.Minutes(), direction),
		prepare: func(ctx context.Context, c *cluster) error { return c.buildClockOff(ctx, binary(c), direction) },
		run: func(ctx context.Context, c *cluster) error {
			s := c.servers[len(c.servers)-1]
			if err := c.replaceServer(ctx, s, binary(c)); err != nil {
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

// clockOffCode is inserted into time.Now. The linker sets the direction, so that all directions share one compilation.
var clockOffCode = fmt.Sprintf(`	if mono > %d {
		switch clockDirection {
		case "ahead":
			sec += %[2]d
		case "behind":
			sec -= %[2]d
		}
	}
`, rightFor.Nanoseconds(), int64(clockError.Seconds()))

// buildClockOff builds a server whose time.Now is off once it has run for rightFor. Go reads the clock without
// calling a library that could be replaced; elapsed times, which are measured by another clock, stay right.
func (c *cluster) buildClockOff(ctx context.Context, binary, direction string) error {
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
	text = append(bytes.Replace(text, []byte(start), []byte(start+clockOffCode), 1), "\nvar clockDirection string\n"...)
	changed, overlay := binary+".go", binary+".json"
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(changed, text, 0o600), os.WriteFile(overlay, replaced, 0o600)); err != nil {
		return err
	}
	fmt.Printf("· building a server whose clock goes %s\n", direction)
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-overlay", overlay, "-ldflags", "-X time.clockDirection="+direction, "-o", binary, "./server")
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", build, err, output)
	}
	return nil
}
