//go:build !linux

package main

import (
	"context"
	"errors"
	"time"
)

// generateLoad needs epoll; the server's memory and processor time are read from /proc.
func generateLoad(context.Context, string, []byte, int, bool) ([]time.Duration, error) {
	return nil, errors.New("the benchmark runs on Linux only")
}
