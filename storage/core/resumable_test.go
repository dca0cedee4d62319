package core_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"plaza/storage/blob"
	"plaza/storage/blob/blobtest"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

func (f *faultyStore) Begin(ctx context.Context, name string) (string, error) {
	if err := f.at("begin"); err != nil {
		return "", err
	}
	upload, err := f.Store.Begin(ctx, name)
	return upload, errors.Join(err, f.at("begin done"))
}

func (f *faultyStore) PutPart(ctx context.Context, name, upload string, number int, r io.Reader, size int64) (blob.Part, error) {
	if err := f.at("part"); err != nil {
		return blob.Part{}, err
	}
	part, err := f.Store.PutPart(ctx, name, upload, number, r, size)
	return part, errors.Join(err, f.at("part done"))
}

// whole is the content of the tests' resumable uploads. For this length, 12 bytes are enough
// for a part.
var whole = string(blobtest.Bytes(5, 100_000))

var target = core.Target{Bucket: "own", Key: "a", MimeType: "text/plain", Length: int64(len(whole)), Upsert: true}

func (k *kit) beginResumable() core.Resumable {
	k.t.Helper()
	made, err := k.Resumables.Begin(k.t.Context(), service, target, "no-cache", "", false)
	if err != nil {
		k.t.Fatal(err)
	}
	return made
}

// send writes a body at an offset, as a request does, and returns the upload's new offset.
func (k *kit) send(s *core.Service, upload core.Resumable, offset int64, body io.Reader) (int64, error) {
	held, err := s.Resumables.Hold(context.Background(), upload, func() {})
	if err != nil {
		return 0, err
	}
	defer held.Release(context.Background())
	err = held.Write(context.Background(), service, target, offset, body, core.UnknownSize)
	return held.Offset(), err
}

// resume looks up an upload and sends its missing bytes.
func (k *kit) resume(upload core.Resumable) {
	k.t.Helper()
	found, err := k.Resumables.Find(k.t.Context(), upload.Bucket, upload.Key, upload.Version)
	if err != nil {
		k.t.Fatal(err)
	}
	at, err := k.send(k.Service, found, found.Offset(), strings.NewReader(whole[found.Offset():]))
	if err != nil || at != int64(len(whole)) {
		k.t.Fatalf("from %d on: %d, %v", found.Offset(), at, err)
	}
	if content, missing := k.content("a"); missing || content != whole {
		k.t.Errorf("%d bytes that are not those sent (missing: %v)", len(content), missing)
	}
	k.checkConsistency()
	k.checkNoUploads()
}

// checkNoUploads fails the test if the store has an upload.
func (k *kit) checkNoUploads() {
	k.t.Helper()
	left, err := os.ReadDir(k.folder + "/.plaza/uploads")
	if err != nil || len(left) > 0 {
		k.t.Errorf("the store has uploads: %v (%v)", left, err)
	}
}

// requestSizes are the body sizes of the requests: too few bytes for a part, two parts, and
// again too few.
var requestSizes = []int{5, 50_000, 40_000, 3}

// If the process is killed at any step, the upload resumes without lost or repeated bytes.
func TestKilledProcessKeepsUpload(t *testing.T) {
	t.Parallel()
	for _, step := range []string{
		"put 1", "put done 1", "begin 1", "begin done 1", "part 1", "part done 1", "part 2", "part done 2", "put 2", "put done 2", "part 3", "part done 3",
		"join 1", "join done 1", "written 4",
	} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			k := start(t)
			upload := k.beginResumable()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledUploadHelper$")
			child.Env = append(os.Environ(), "STORAGE_KILL_AT="+step, "STORAGE_UPLOAD="+upload.Version, "STORAGE_DATABASE="+k.address, "STORAGE_FOLDER="+k.folder)
			out, err := child.CombinedOutput()
			var ended *exec.ExitError
			if !errors.As(err, &ended) || ended.Exited() {
				t.Fatalf("the process was not killed: %v\n%s", err, out)
			}
			if found, err := k.Resumables.Find(t.Context(), "own", "a", upload.Version); err != nil || found.Offset() == found.Length {
				t.Errorf("without the object, the offset is %d (%v)", found.Offset(), err)
			}
			k.resume(upload)
		})
	}
}

// TestKilledUploadHelper sends an upload until it kills itself at the given step.
func TestKilledUploadHelper(t *testing.T) {
	step, version := os.Getenv("STORAGE_KILL_AT"), os.Getenv("STORAGE_UPLOAD")
	if version == "" {
		t.Skip("for TestKilledProcessKeepsUpload")
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
	upload, err := k.Resumables.Find(t.Context(), "own", "a", version)
	if err != nil {
		t.Fatal(err)
	}
	at := int64(0)
	for _, size := range append(requestSizes, len(whole)) {
		next := min(at+int64(size), int64(len(whole)))
		if at, err = k.send(k.Service, upload, at, strings.NewReader(whole[at:next])); err != nil {
			t.Fatal(err)
		}
		_ = k.blobs.at("written")
	}
}

// A failed step does not change the upload's offset, and the next request continues there.
func TestFailedUploadStepCanBeRetried(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"put", "put done", "begin", "begin done", "part", "part done", "join", "join done", "commit"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			k := start(t)
			upload := k.beginResumable()
			if step == "commit" {
				k.exec(`create function refuse() returns trigger language plpgsql as $$ begin
						if new.version <> '1' then raise exception 'no row today'; end if; return new; end $$;
					create trigger refuse before insert on storage.objects for each row execute function refuse()`)
			}
			k.blobs.fail = func(at string) error {
				if at == step {
					return errors.New("the disk is gone")
				}
				return nil
			}
			_, first := k.send(k.Service, upload, 0, strings.NewReader(whole[:5]))
			found, err := k.Resumables.Find(t.Context(), "own", "a", upload.Version)
			if err != nil {
				t.Fatal(err)
			}
			_, second := k.send(k.Service, upload, found.Offset(), strings.NewReader(whole[found.Offset():]))
			if first == nil && second == nil {
				t.Error("nothing failed")
			}
			k.blobs.fail = nil
			if step == "commit" {
				k.exec(`drop trigger refuse on storage.objects`)
			}
			k.resume(upload)
		})
	}
}

// The received part of an interrupted body is kept.
func TestInterruptedBodyIsKept(t *testing.T) {
	t.Parallel()
	k := start(t)
	upload := k.beginResumable()
	at := int64(0)
	for _, size := range requestSizes {
		next := at + int64(size)
		var err error
		at, err = k.send(k.Service, upload, at, io.MultiReader(strings.NewReader(whole[at:next]), brokenReader{}))
		if code(err) != storageerr.CodeInvalidRequest || at != next {
			t.Errorf("%d bytes: offset %d, %v", size, at, err)
		}
	}
	k.resume(upload)
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// A newer request takes over an upload, also on another server. The older request cannot write
// afterwards. It stores the bytes it received if it is notified.
func TestNewerRequestTakesOver(t *testing.T) {
	t.Parallel()
	for _, notified := range []bool{true, false} {
		t.Run(fmt.Sprintf("older one is notified: %v", notified), func(t *testing.T) {
			t.Parallel()
			k := start(t)
			if notified {
				k.run(k.Service)
			}
			upload := k.beginResumable()
			body, sender := io.Pipe()
			held, err := k.Resumables.Hold(t.Context(), upload, func() { _ = body.CloseWithError(os.ErrDeadlineExceeded) })
			if err != nil {
				t.Fatal(err)
			}
			older := make(chan error, 1)
			go func() {
				defer held.Release(context.Background())
				older <- held.Write(context.Background(), service, target, 0, body, core.UnknownSize)
			}()
			if _, err := sender.Write([]byte(whole[:50_000])); err != nil {
				t.Fatal(err)
			}

			other := k.another()
			newer, err := other.Resumables.Hold(t.Context(), upload, func() {})
			if err != nil {
				t.Fatal(err)
			}
			want := int64(0)
			if notified {
				want = 50_000
			}
			if newer.Offset() != want {
				t.Errorf("the newer one begins at %d, want %d", newer.Offset(), want)
			}
			const half = 60_000
			if err := newer.Write(t.Context(), service, target, want, strings.NewReader(whole[want:half]), core.UnknownSize); err != nil {
				t.Error(err)
			}
			_ = sender.CloseWithError(io.EOF) // the body of the older one ends if it still reads
			if err := <-older; code(err) != storageerr.CodeLocked {
				t.Errorf("the older one: %v", err)
			}
			newer.Release(t.Context())
			if at, err := k.send(other, upload, half, strings.NewReader(whole[half:])); err != nil {
				t.Errorf("the rest, from %d on: %v", at, err)
			}
			if content, _ := k.content("a"); content != whole {
				t.Errorf("%d bytes that are not those sent", len(content))
			}
			k.checkConsistency()
			k.checkNoUploads()
		})
	}
}

func TestExpiredUploadsAreSwept(t *testing.T) {
	t.Parallel()
	k := start(t)
	if err := k.put("kept", "old", false); err != nil {
		t.Fatal(err)
	}
	expired, active := k.beginResumable(), k.beginResumable()
	for _, upload := range []core.Resumable{expired, active} {
		if _, err := k.send(k.Service, upload, 0, strings.NewReader(whole[:50_000])); err != nil {
			t.Fatal(err)
		}
		if _, err := k.send(k.Service, upload, 50_000, strings.NewReader(whole[50_000:50_003])); err != nil { // a tail
			t.Fatal(err)
		}
	}
	k.exec(`update storage.resumable_uploads set expires_at = now() - interval '2 hours', updated_at = now() - interval '2 hours' where version = $1`, expired.Version)
	if err := k.Resumables.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Resumables.Find(t.Context(), "own", "a", expired.Version); code(err) != storageerr.CodeNoSuchUpload {
		t.Errorf("the expired upload: %v", err)
	}
	if err := k.Sweep(t.Context()); err != nil { // deletes the tail
		t.Fatal(err)
	}
	k.resume(active)
}
