package rest

import (
	"cmp"
	"errors"
	"net/http"
	"os"
	"syscall"

	"plaza/server/apierr"
	"plaza/server/freespace"
)

// errDiskLow reports that a large body would take the room that the database needs.
var errDiskLow = apierr.New(http.StatusInsufficientStorage, "PLZ014", "The server has too little free space for a large request.").
	WithHint("Send fewer rows at once.")

// noRoom words the failure of keeping a large body.
func noRoom(err error) error {
	if errors.Is(err, freespace.ErrLow) || errors.Is(err, syscall.ENOSPC) {
		return errDiskLow.WithCause(err)
	}
	return errBodies.WithCause(err)
}

// guard returns what keeps large bodies from filling the disk.
func (c Config) guard() *freespace.Guard {
	return freespace.NewGuard(cmp.Or(c.SpoolFolder, os.TempDir()), c.MinFree)
}
