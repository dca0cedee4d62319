package freespace

import "golang.org/x/sys/windows"

// Of returns the free and total space of a folder's file system.
func Of(folder string) (Space, error) {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return Space{}, err
	}
	var available, total, free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &available, &total, &free); err != nil {
		return Space{}, err
	}
	return Space{Free: int64(available), Total: int64(total)}, nil
}
