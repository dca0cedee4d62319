//go:build !linux && !darwin

package freespace

import "errors"

// Of reports that this system does not tell.
func Of(string) (Space, error) { return Space{}, errors.ErrUnsupported }
