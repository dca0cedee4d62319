//go:build !linux && !darwin && !windows

package freespace

import "errors"

// Of returns an error, because this system is not supported.
func Of(string) (Space, error) { return Space{}, errors.ErrUnsupported }
