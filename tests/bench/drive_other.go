//go:build !linux

package main

import (
	"context"
	"errors"
	"time"
)

// drive needs epoll; so does reading the server's memory and processor time.
func drive(context.Context, string, []byte, int, bool) ([]time.Duration, error) {
	return nil, errors.New("the benchmark runs on Linux only")
}
