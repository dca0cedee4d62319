package disk_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plaza/storage/blob"
	"plaza/storage/blob/blobtest"
	"plaza/storage/blob/disk"
)

// TestFullDisk fills a disk of 5 MiB that is mounted only in a child process.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), fullFolder+"="+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	output, err := child.CombinedOutput()
	if err != nil || len(output) != 0 {
		t.Errorf("%v\n%s", err, output)
	}
}

// fillSmallDisk runs in the child process. It prints the failures and exits.
func fillSmallDisk(folder string) {
	if err := syscall.Mount("none", folder, "tmpfs", 0, "size=5m"); err != nil {
		fmt.Println("mount:", err)
		os.Exit(1)
	}
	for _, complaint := range onSmallDisk(folder) {
		fmt.Println(complaint)
	}
	os.Exit(0)
}

func onSmallDisk(folder string) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	ctx := context.Background()
	s, err := disk.Open(folder)
	if err != nil {
		return []string{err.Error()}
	}
	put := func(name string, size int64) error {
		_, err := s.Put(ctx, name, blobtest.Stream(1, size), size)
		return err
	}
	if err := put("there", 1<<20); err != nil {
		complain("a blob that fits: %v", err)
	}
	if err := put("too-large", 8<<20); !errors.Is(err, blob.ErrFull) {
		complain("a blob that is too large: %v", err)
	}
	upload, err := s.Begin(ctx, "joined")
	if err != nil {
		complain("Begin: %v", err)
	}
	if _, err := s.PutPart(ctx, "joined", upload, 1, blobtest.Stream(1, 8<<20), blob.UnknownSize); !errors.Is(err, blob.ErrFull) {
		complain("a part that is too large: %v", err)
	}
	var parts []blob.Part
	for number := 1; number <= 2; number++ {
		part, err := s.PutPart(ctx, "joined", upload, number, blobtest.Stream(1, 1<<20), 1<<20)
		if err != nil {
			complain("a part that fits: %v", err)
		}
		parts = append(parts, part)
	}
	if _, err := s.Join(ctx, "joined", upload, parts); !errors.Is(err, blob.ErrFull) {
		complain("parts that fit only once: %v", err)
	}
	if err := s.Delete(ctx, "there"); err != nil {
		complain("Delete: %v", err)
	}
	if info, err := s.Join(ctx, "joined", upload, parts); err != nil || info.Size != 2<<20 {
		complain("parts that fit now: %+v, %v", info, err)
	}
	if err := put("again", 1<<20); err != nil {
		complain("a blob that fits again: %v", err)
	}
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.HasSuffix(path, "/again") && !strings.HasSuffix(path, "/joined") && !strings.HasSuffix(path, "/lock") {
			complain("left behind: %s", path)
		}
		return err
	})
	return complaints
}
