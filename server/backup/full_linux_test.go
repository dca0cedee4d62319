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
// TestAFullDisk.
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

// TestAFullDisk backs up to a disk of 1 MiB that is mounted only in a child process.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.put("one", "1")
	told := smallDisk{Source: k.source, Objects: k.folder, Target: t.TempDir()}
	told.Source.Blobs = nil
	text, err := json.Marshal(told)
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
	var told smallDisk
	err := json.Unmarshal([]byte(given), &told)
	if err == nil {
		err = syscall.Mount("none", told.Target, "tmpfs", 0, "size=1m")
	}
	if err == nil {
		told.Source.Blobs, err = disk.Open(told.Objects)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_, err = backup.Make(context.Background(), told.Source, filepath.Join(told.Target, "backup"), backup.Options{Progress: quiet})
	var complaints complaints
	mustFail(&complaints, "the backup", err, backup.ErrFull, told.Target)
	nothingIn(&complaints, told.Target)
	if !complaints.any {
		fmt.Println("as wanted")
	}
	os.Exit(0)
}

// complaints is a testing.TB that prints failures.
type complaints struct {
	testing.TB
	any bool
}

func (c *complaints) Helper() {}

func (c *complaints) Errorf(format string, args ...any) {
	c.any = true
	fmt.Printf(format+"\n", args...)
}

func (c *complaints) Error(args ...any) { c.Errorf("%s", fmt.Sprint(args...)) }
