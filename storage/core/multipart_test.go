package core_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"plaza/storage/blob"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

func (f *faultyStore) Join(ctx context.Context, name, upload string, parts []blob.Part) (blob.Info, error) {
	if err := f.at("join"); err != nil {
		return blob.Info{}, err
	}
	info, err := f.Store.Join(ctx, name, upload, parts)
	return info, errors.Join(err, f.at("join done"))
}

// begin creates an upload with two parts, and returns its id and their names.
func (k *kit) begin(key string) (string, []core.PartName) {
	k.t.Helper()
	upload, err := k.Multiparts.Begin(k.t.Context(), service, core.Target{Bucket: "own", Key: key, MimeType: "text/plain"}, "no-cache")
	if err != nil {
		k.t.Fatal(err)
	}
	var parts []core.PartName
	for i, content := range []string{"new ", "bytes"} {
		part, err := k.Multiparts.PutPart(k.t.Context(), service, "own", key, upload.ID, i+1, strings.NewReader(content), int64(len(content)))
		if err != nil {
			k.t.Fatal(err)
		}
		parts = append(parts, core.PartName{Number: part.Number, ETag: part.ETag})
	}
	return upload.ID, parts
}

// If a step of joining parts fails, the object is the old one. The upload can be completed
// later, unless the joined blob was swept.
func TestFailedJoinCanBeRetried(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	for _, step := range []string{"join", "join done", "commit"} {
		for _, swept := range []bool{false, true} {
			name := step
			if swept {
				name += ", then a sweep"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				k := start(t)
				if err := k.put("a", "old", false); err != nil {
					t.Fatal(err)
				}
				id, parts := k.begin("a")
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
				if _, err := k.Multiparts.Complete(t.Context(), service, "own", "a", id, parts); err == nil {
					t.Error("the injected step did not fail")
				}
				if content, _ := k.content("a"); content != "old" {
					t.Errorf("after the failure the object is %q", content)
				}
				k.blobs.fail = nil
				if step == "commit" {
					k.exec(`drop trigger refuse on storage.objects`)
				}
				want, wantCode := "new bytes", ""
				if swept {
					k.checkConsistency()
					if step != "join" {
						want, wantCode = "old", storageerr.CodeInvalidPart
					}
				}
				if _, err := k.Multiparts.Complete(t.Context(), service, "own", "a", id, parts); code(err) != wantCode {
					t.Errorf("the retry: %v, want %q", err, wantCode)
				}
				if content, _ := k.content("a"); content != want {
					t.Errorf("after the retry the object is %q", content)
				}
				k.checkConsistency()
			})
		}
	}
}

// Of several concurrent completions of an upload, exactly one succeeds, and none marks the
// object's blob as unused.
func TestConcurrentCompletes(t *testing.T) {
	t.Parallel()
	k := start(t)
	id, parts := k.begin("a")
	var all sync.WaitGroup
	done := make(chan error, 8)
	for range cap(done) {
		server := k.another()
		all.Go(func() {
			_, err := server.Multiparts.Complete(t.Context(), service, "own", "a", id, parts)
			done <- err
		})
	}
	all.Wait()
	close(done)
	succeeded := 0
	for err := range done {
		if err == nil {
			succeeded++
		}
	}
	if succeeded != 1 {
		t.Errorf("%d completed it", succeeded)
	}
	k.checkConsistency()
	if content, _ := k.content("a"); content != "new bytes" {
		t.Errorf("the object is %q", content)
	}
}

// A server that completes an upload too late must not mark the object's blob as unused, as it
// would be swept.
func TestLateCompleteKeepsBlob(t *testing.T) {
	t.Parallel()
	k := start(t)
	id, parts := k.begin("a")
	late := k.another()
	k.blobs.fail = func(at string) error {
		if at == "join" { // the late server has marked the blob already
			k.blobs.fail = nil
			_, err := k.Multiparts.Complete(context.WithoutCancel(t.Context()), service, "own", "a", id, parts)
			return err
		}
		return nil
	}
	if _, err := late.Multiparts.Complete(t.Context(), service, "own", "a", id, parts); err == nil {
		t.Error("both completed it")
	}
	k.checkConsistency()
	if content, _ := k.content("a"); content != "new bytes" {
		t.Errorf("the object is %q", content)
	}
}
