package core_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"plaza/storage/blob"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

// If a step of a write fails, the object is the old one or the new one. After a sweep, every
// row has its bytes and all bytes have a row.
func TestFailedStepLeavesOldOrNewObject(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	for _, step := range []string{"put", "put done", "commit", "delete", "delete done"} {
		for _, overwrite := range []bool{false, true} {
			name := step + " of a new object"
			if overwrite {
				name = step + " of a new version"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				k := start(t)
				if overwrite {
					if err := k.put("a", "old", false); err != nil {
						t.Fatal(err)
					}
				}
				k.blobs.fail = func(at string) error {
					if at == step {
						return broken
					}
					return nil
				}
				if step == "commit" {
					k.exec(`create function refuse() returns trigger language plpgsql as $$ begin
							if new.version <> '1' then raise exception 'no row today'; end if; return new; end $$;
						create trigger refuse before insert on storage.objects for each row execute function refuse()`)
				}
				err := k.put("a", "new", true)
				_ = k.Sweep(t.Context())
				content, missing := k.content("a")
				switch {
				case err == nil && content != "new":
					t.Errorf("the write succeeded, but the object is %q", content)
				case err != nil && overwrite && content != "old":
					t.Errorf("the write failed (%v), but the object is %q", err, content)
				case err != nil && !overwrite && !missing:
					t.Errorf("the write failed (%v), but the object exists: %q", err, content)
				}
				if fails := !strings.HasPrefix(step, "delete"); fails != (err != nil) {
					t.Errorf("error %v", err)
				}
				k.checkConsistency()
			})
		}
	}
}

// The same holds if the process is killed between any two steps. The number of a step is the
// occurrence at which the process is killed.
func TestKilledProcessLeavesOldOrNewObject(t *testing.T) {
	t.Parallel()
	for _, step := range []string{
		"put 1", "put done 1", "written 1", "put 2", "put done 2", "written 2", "copy 1", "copy done 1", "written 3", "written 4", "delete 1", "delete done 1",
	} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			k := start(t)
			for _, key := range []string{"old", "gone"} {
				if err := k.put(key, "old", false); err != nil {
					t.Fatal(err)
				}
			}
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProcessHelper$")
			child.Env = append(os.Environ(), "STORAGE_KILL_AT="+step, "STORAGE_DATABASE="+k.address, "STORAGE_FOLDER="+k.folder)
			out, err := child.CombinedOutput()
			var ended *exec.ExitError
			if !errors.As(err, &ended) || ended.Exited() {
				t.Fatalf("the process was not killed: %v\n%s", err, out)
			}
			for key, choices := range map[string][]string{"fresh": {"", "new"}, "old": {"old", "new"}, "copied": {"", "old", "new"}, "gone": {"old", ""}} {
				content, missing := k.content(key)
				if missing != (content == "") || !slices.Contains(choices, content) {
					t.Errorf("%s is %q", key, content)
				}
			}
			k.checkConsistency()
		})
	}
}

// TestKilledProcessHelper writes, overwrites, copies and deletes until it kills itself at the
// given step.
func TestKilledProcessHelper(t *testing.T) {
	step := os.Getenv("STORAGE_KILL_AT")
	if step == "" {
		t.Skip("for TestKilledProcessLeavesOldOrNewObject")
	}
	k := open(t, os.Getenv("STORAGE_DATABASE"), os.Getenv("STORAGE_FOLDER"))
	times := map[string]int{}
	k.blobs.fail = func(at string) error {
		times[at]++
		if fmt.Sprint(at, " ", times[at]) == step {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}
	for _, write := range []func() error{
		func() error { return k.put("fresh", "new", false) },
		func() error { return k.put("old", "new", true) },
		func() error {
			_, err := k.Copy(t.Context(), service, core.Copy{Bucket: "own", Key: "old", To: core.Target{Bucket: "own", Key: "copied"}, KeepMetadata: true})
			return err
		},
		func() error { return k.Delete(t.Context(), service, "own", "gone") },
		func() error { return k.Sweep(t.Context()) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		if err := k.blobs.at("written"); err != nil {
			t.Fatal(err)
		}
	}
}

// Of several concurrent creates of one key, exactly one succeeds.
func TestConcurrentCreates(t *testing.T) {
	t.Parallel()
	k := start(t)
	const many = 12
	codes := make([]string, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() { codes[i] = code(k.put("same", strings.Repeat(string(rune('a'+i)), 1000), false)) })
	}
	all.Wait()
	succeeded := 0
	for _, code := range codes {
		switch code {
		case "":
			succeeded++
		case storageerr.CodeKeyExists:
		default:
			t.Errorf("code %s", code)
		}
	}
	if succeeded != 1 {
		t.Errorf("%d succeeded", succeeded)
	}
	if content, _ := k.content("same"); len(content) != 1000 || strings.Trim(content, content[:1]) != "" {
		t.Errorf("the object is a mix: %q", content)
	}
	k.checkConsistency()
}

// After several concurrent overwrites of one key, the object is one of them completely.
func TestConcurrentOverwrites(t *testing.T) {
	t.Parallel()
	k := start(t)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			if err := k.put("same", strings.Repeat(string(rune('a'+i)), 1000), true); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if content, _ := k.content("same"); len(content) != 1000 || strings.Trim(content, content[:1]) != "" {
		t.Errorf("the object is a mix: %q", content)
	}
	k.checkConsistency()
}

// A full disk is reported, and the old object is kept.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	k := start(t)
	if err := k.put("a", "old", false); err != nil {
		t.Fatal(err)
	}
	k.blobs.fail = func(at string) error {
		if at == "put" {
			return blob.ErrFull
		}
		return nil
	}
	err := k.put("a", "new", true)
	if code(err) != storageerr.CodeFull || !strings.Contains(err.Error(), "no room left") {
		t.Errorf("error %v", err)
	}
	if content, _ := k.content("a"); content != "old" {
		t.Errorf("the object is %q", content)
	}
	k.checkConsistency()
}

// An upload that took so long that its blob was swept does not create a row without bytes.
func TestSweptUploadCreatesNoRow(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.blobs.fail = func(at string) error {
		if at == "put done" {
			k.blobs.fail = nil
			k.exec(`update storage.unused_blobs set delete_after = now()`)
			return k.Sweep(context.Background())
		}
		return nil
	}
	if err := k.put("a", "new", false); code(err) != storageerr.CodeInternal {
		t.Errorf("error %v", err)
	}
	if _, missing := k.content("a"); !missing {
		t.Error("the object has a row")
	}
	k.checkConsistency()
}
