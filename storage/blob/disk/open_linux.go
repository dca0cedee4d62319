package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openFile opens a file below a folder to be read, in one call of the kernel, which
// keeps it below: no link leads out. os.Root walks the path itself, a call
// or more for each part.
func openFile(root *os.Root, folder *os.File, name string) (*os.File, error) {
	descriptor, err := unix.Openat2(int(folder.Fd()), name, &unix.OpenHow{
		Flags: unix.O_RDONLY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	})
	switch {
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM): // an old kernel, or a sandbox that does not know the call
		return root.Open(name)
	case err != nil:
		return nil, &os.PathError{Op: "openat2", Path: name, Err: err}
	}
	return os.NewFile(uintptr(descriptor), name), nil // the kernel gives no negative one
}
