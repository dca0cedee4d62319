//go:build !linux

package main

import (
	"context"
	"errors"
)

// drive needs epoll; so does reading the server's memory and processor time.
func drive(context.Context, string, []byte, int, bool) (int64, error) {
	return 0, errors.New("the benchmark runs on Linux only")
}
