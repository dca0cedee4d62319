package backup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"plaza/server/backup"
	"plaza/storage/blob/disk"
)

// fullDisk is the environment variable that makes this program the child process of
// TestFullDiskLeavesNoBackup.
const fullDisk = "BACKUP_TEST_FULL_DISK"

func TestMain(m *testing.M) {
	if given := os.Getenv(fullDisk); given != "" {
		backUpToFullDisk(given)
	}
	os.Exit(m.Run())
}

// smallDisk is the configuration passed to the child process.
type smallDisk struct {
	Source          backup.Source
	Objects, Target string
}

// TestFullDiskLeavesNoBackup backs up to a disk of 1 MiB that is mounted only in a child process.
func TestFullDiskLeavesNoBackup(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.put("one", "1")
	config := smallDisk{Source: k.source, Objects: k.folder, Target: t.TempDir()}
	config.Source.Blobs = nil
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), fullDisk+"="+string(text))
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if output, err := child.CombinedOutput(); err != nil || string(output) != "as wanted\n" {
		t.Errorf("%v: %s", err, output)
	}
}

// backUpToFullDisk runs in the child process. It prints the failures and exits.
func backUpToFullDisk(given string) {
	var config smallDisk
	err := json.Unmarshal([]byte(given), &config)
	if err == nil {
		err = syscall.Mount("none", config.Target, "tmpfs", 0, "size=1m")
	}
	if err == nil {
		config.Source.Blobs, err = disk.Open(config.Objects)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_, err = backup.Make(context.Background(), config.Source, filepath.Join(config.Target, "backup"), backup.Options{Progress: quiet})
	var failures failures
	mustFail(&failures, "the backup", err, backup.ErrFull, config.Target)
	expectEmpty(&failures, config.Target)
	if !failures.any {
		fmt.Println("as wanted")
	}
	os.Exit(0)
}

// failures is a testing.TB that prints failures.
type failures struct {
	testing.TB
	any bool
}

func (c *failures) Helper() {}

func (c *failures) Errorf(format string, args ...any) {
	c.any = true
	fmt.Printf(format+"\n", args...)
}

func (c *failures) Error(args ...any) { c.Errorf("%s", fmt.Sprint(args...)) }
