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

// Whichever step of a write fails, the object is the old one or the new one, and
// after sweeping no row lacks its bytes and no bytes lack their row.
func TestAFailedStepLeavesTheOldObjectOrTheNew(t *testing.T) {
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
					t.Errorf("it was stored, and is %q", content)
				case err != nil && overwrite && content != "old":
					t.Errorf("it failed (%v), and is %q", err, content)
				case err != nil && !overwrite && !missing:
					t.Errorf("it failed (%v), and is there: %q", err, content)
				}
				if fails := !strings.HasPrefix(step, "delete"); fails != (err != nil) {
					t.Errorf("error %v", err)
				}
				k.agree()
			})
		}
	}
}

// A process that is killed between any two steps leaves the same. A number says
// at which time that it comes to the step.
func TestAKilledProcessLeavesTheOldObjectOrTheNew(t *testing.T) {
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
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProcessThatIsKilled$")
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
			k.agree()
		})
	}
}

// TestProcessThatIsKilled writes, overwrites, copies and deletes until it is at
// the step that it is to be killed at.
func TestProcessThatIsKilled(t *testing.T) {
	step := os.Getenv("STORAGE_KILL_AT")
	if step == "" {
		t.Skip("for TestAKilledProcessLeavesTheOldObjectOrTheNew")
	}
	k := join(t, os.Getenv("STORAGE_DATABASE"), os.Getenv("STORAGE_FOLDER"))
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

// Of several that make one key at once, one does.
func TestOneOfManyCreatesSucceeds(t *testing.T) {
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
		t.Errorf("the object is no whole: %q", content)
	}
	k.agree()
}

// Several that overwrite one key at once end in one whole object.
func TestManyOverwritesEndInOneObject(t *testing.T) {
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
		t.Errorf("the object is no whole: %q", content)
	}
	k.agree()
}

// A full disk is told, and loses nothing.
func TestAFullDisk(t *testing.T) {
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
	k.agree()
}

// An upload whose note was swept, as it took too long, does not make a row
// without bytes.
func TestAnUploadThatWasGivenUpMakesNoRow(t *testing.T) {
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
		t.Error("there is a row")
	}
	k.agree()
}
