package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openFile opens a file below a folder for reading with a single system call, which also
// prevents links from leaving the folder. os.Root needs at least one call for each
// path element.
func openFile(root *os.Root, folder *os.File, name string) (*os.File, error) {
	descriptor, err := unix.Openat2(int(folder.Fd()), name, &unix.OpenHow{
		Flags: unix.O_RDONLY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	})
	switch {
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM): // an old kernel, or a sandbox that does not allow the call
		return root.Open(name)
	case err != nil:
		return nil, &os.PathError{Op: "openat2", Path: name, Err: err}
	}
	return os.NewFile(uintptr(descriptor), name), nil // descriptors are not negative
}
