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

// begin makes an upload of two parts, and gives its id and their names.
func (k *kit) begin(key string) (string, []core.PartName) {
	k.t.Helper()
	begun, err := k.Multiparts.Begin(k.t.Context(), service, core.Target{Bucket: "own", Key: key, MimeType: "text/plain"}, "no-cache")
	if err != nil {
		k.t.Fatal(err)
	}
	var named []core.PartName
	for i, content := range []string{"new ", "bytes"} {
		part, err := k.Multiparts.PutPart(k.t.Context(), service, "own", key, begun.ID, i+1, strings.NewReader(content), int64(len(content)))
		if err != nil {
			k.t.Fatal(err)
		}
		named = append(named, core.PartName{Number: part.Number, ETag: part.ETag})
	}
	return begun.ID, named
}

// Whichever step of joining parts fails, the object is the old one, and the upload
// can be completed after, unless what it had come to was swept.
func TestAFailedJoinCanBeDoneAgain(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	for _, step := range []string{"join", "join done", "commit"} {
		for _, swept := range []bool{false, true} {
			name := step
			if swept {
				name += ", and is swept"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				k := start(t)
				if err := k.put("a", "old", false); err != nil {
					t.Fatal(err)
				}
				id, named := k.begin("a")
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
				if _, err := k.Multiparts.Complete(t.Context(), service, "own", "a", id, named); err == nil {
					t.Error("it did not fail: the test tests nothing")
				}
				if content, _ := k.content("a"); content != "old" {
					t.Errorf("after the failure it is %q", content)
				}
				k.blobs.fail = nil
				if step == "commit" {
					k.exec(`drop trigger refuse on storage.objects`)
				}
				want, wantCode := "new bytes", ""
				if swept {
					k.agree()
					if step != "join" {
						want, wantCode = "old", storageerr.CodeInvalidPart
					}
				}
				if _, err := k.Multiparts.Complete(t.Context(), service, "own", "a", id, named); code(err) != wantCode {
					t.Errorf("done again: %v, want %q", err, wantCode)
				}
				if content, _ := k.content("a"); content != want {
					t.Errorf("at the end it is %q", content)
				}
				k.agree()
			})
		}
	}
}

// Of several that complete an upload at once, one does, and none has the blob
// noted that is in use then.
func TestAnUploadIsCompletedOnce(t *testing.T) {
	t.Parallel()
	k := start(t)
	id, named := k.begin("a")
	var all sync.WaitGroup
	done := make(chan error, 8)
	for range cap(done) {
		server := k.another()
		all.Go(func() {
			_, err := server.Multiparts.Complete(t.Context(), service, "own", "a", id, named)
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
	k.agree()
	if content, _ := k.content("a"); content != "new bytes" {
		t.Errorf("it is %q", content)
	}
}

// A server that comes too late must not note the blob that another one's object
// has: it would be swept.
func TestAnUploadThatHasEndedIsNotNoted(t *testing.T) {
	t.Parallel()
	k := start(t)
	id, named := k.begin("a")
	late := k.another()
	k.blobs.fail = func(at string) error {
		if at == "join" { // the late one has noted the blob already
			k.blobs.fail = nil
			_, err := k.Multiparts.Complete(context.WithoutCancel(t.Context()), service, "own", "a", id, named)
			return err
		}
		return nil
	}
	if _, err := late.Multiparts.Complete(t.Context(), service, "own", "a", id, named); err == nil {
		t.Error("both completed it")
	}
	k.agree()
	if content, _ := k.content("a"); content != "new bytes" {
		t.Errorf("it is %q", content)
	}
}
