package disk_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plaza/storage/blob"
	"plaza/storage/blob/blobtest"
	"plaza/storage/blob/disk"
)

const (
	childFolder = "PLAZA_TEST_DISK_FOLDER" // folder in which the child of the kill test puts blobs
	childSize   = 1 << 20                  // size of each blob
	childReads  = 9                        // reads of one Put

	// fullFolder is the variable with the mount point for the child of the full disk
	// test.
	fullFolder = "PLAZA_TEST_FULL_FOLDER"
)

// TestMain also runs the child process of TestKilledProcessLeavesNoPartialBlob. The child
// puts one blob after the other, waits for permission before each read, and prints the
// names of the stored blobs.
func TestMain(m *testing.M) {
	if folder := os.Getenv(fullFolder); folder != "" {
		fillSmallDisk(folder)
	}
	folder := os.Getenv(childFolder)
	if folder == "" {
		os.Exit(m.Run())
	}
	s, err := disk.Open(folder)
	for i := 0; err == nil; i++ {
		name := fmt.Sprintf("%02x/blob-%d", i%3, i)
		r := &stepwise{blobtest.Stream(uint64(i), childSize)}
		if _, err = s.Put(context.Background(), name, r, blob.UnknownSize); err == nil {
			fmt.Println(name)
		}
	}
	fmt.Println("failed:", err)
	os.Exit(1)
}

// stepwise waits for permission before each read.
type stepwise struct{ r io.Reader }

func (s *stepwise) Read(p []byte) (int, error) {
	fmt.Println("read")
	if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

func TestKilledProcessLeavesNoPartialBlob(t *testing.T) {
	t.Parallel()
	for round := range 3*childReads + 10 {
		folder := t.TempDir()
		// The last rounds kill the child at some point after the last read of a blob.
		reads := min(round, 3*childReads)
		stored := killed(t, folder, reads, round > 3*childReads)
		if writing := reads % childReads; writing != 0 && len(files(t, filepath.Join(folder, ".plaza", "temporary"))) == 0 {
			t.Errorf("at the kill after read %d no blob was being written", reads)
		}
		s := open(t, folder)
		whole := map[string]bool{}
		err := s.List(t.Context(), "", func(info blob.Info) error {
			whole[info.Name] = info.Size == childSize
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, ok := range whole {
			if !ok {
				t.Errorf("after read %d, %s is incomplete", reads, name)
			}
		}
		for _, name := range stored {
			if !whole[name] {
				t.Errorf("after read %d, %s was reported as stored and is lost", reads, name)
			}
		}
		for _, left := range files(t, filepath.Join(folder, ".plaza", "temporary")) {
			t.Errorf("left behind: %s", left)
		}
	}
}

// killed runs a child that may do a number of reads, kills it immediately or a little
// later, and returns the blobs that the child reported as stored.
func killed(t *testing.T, folder string, reads int, later bool) (stored []string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childFolder+"="+folder)
	stdout, outErr := child.StdoutPipe()
	stdin, inErr := child.StdinPipe()
	if outErr != nil || inErr != nil {
		t.Fatal(outErr, inErr)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for requested := 0; requested <= reads && lines.Scan(); {
		if line := lines.Text(); line != "read" {
			stored = append(stored, line)
			continue
		}
		if requested++; requested > reads {
			break
		}
		if _, err := stdin.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
		if requested == reads && later {
			spin(rand.IntN(5_000_000))
			break
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		if line := lines.Text(); line != "read" {
			stored = append(stored, line)
		}
	}
	if err := child.Wait(); err == nil || strings.Contains(strings.Join(stored, " "), "failed") {
		t.Fatalf("the child was not killed: %v, %v", err, stored)
	}
	return stored
}

// spin takes some time by doing n additions.
func spin(n int) {
	for i := range n {
		spun += i
	}
}

var spun int
