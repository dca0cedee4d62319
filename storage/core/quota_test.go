package core_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/claims"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

const (
	ana = "0a000000-0000-4000-8000-000000000001"
	ben = "0b000000-0000-4000-8000-000000000002"
)

// owned returns an upload of size bytes to the bucket "own", owned by a user.
func owned(user, key string, size int, upsert bool) core.Upload {
	u := upload(key, strings.Repeat("x", size), upsert)
	u.Owner = user
	return u
}

func (k *kit) store(u core.Upload) string {
	k.t.Helper()
	_, err := k.Upload(k.t.Context(), service, u, false)
	return code(err)
}

// checkCode fails the test if an error code differs.
func checkCode(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: %q, want %q", what, got, want)
	}
}

// usage returns the counted usage of a user, and that of the stored objects: "10 in 1".
func (k *kit) usage(user string) (usage, stored string) {
	k.t.Helper()
	usage = k.texts(`select coalesce(sum(bytes), 0) || ' in ' || coalesce(sum(objects), 0) from storage.usage where owner_id = '` + user + `'`)[0]
	stored = k.texts(`select coalesce(sum((metadata ->> 'size')::bigint), 0) || ' in ' || count(*) from storage.objects where owner_id = '` + user + `'`)[0]
	return usage, stored
}

func TestUserQuota(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`insert into storage.quotas (bucket_id, max_bytes, max_objects) values ('own', 1000, 3)`)
	checkCode(t, "the first", k.store(owned(ana, "a/1", 600, false)), "")
	checkCode(t, "more bytes than remain", k.store(owned(ana, "a/2", 401, false)), storageerr.CodeQuota)
	checkCode(t, "all remaining bytes", k.store(owned(ana, "a/2", 400, false)), "")
	checkCode(t, "another user", k.store(owned(ben, "b/1", 1000, false)), "")
	checkCode(t, "a larger version", k.store(owned(ana, "a/2", 401, true)), storageerr.CodeQuota)
	checkCode(t, "a smaller version", k.store(owned(ana, "a/2", 10, true)), "")
	checkCode(t, "a third object", k.store(owned(ana, "a/3", 1, false)), "")
	checkCode(t, "a fourth object", k.store(owned(ana, "a/4", 0, false)), storageerr.CodeQuota)
	if err := k.Delete(t.Context(), service, "own", "a/1"); err != nil {
		t.Fatal(err)
	}
	checkCode(t, "after one was deleted", k.store(owned(ana, "a/4", 900, false)), "")
	if usage, stored := k.usage(ana); usage != stored {
		t.Errorf("counted %s, stored %s", usage, stored)
	}
	k.checkConsistency()
}

func TestQuotaIsCheckedBeforeReading(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`insert into storage.quotas (max_bytes) values (1000)`)
	u := owned(ana, "a/1", 0, false)
	body := &countingReader{}
	u.Body, u.Size, u.Length = body, 1001, 1001
	checkCode(t, "too large", k.store(u), storageerr.CodeQuota)
	if body.read > 0 {
		t.Errorf("%d bytes were read", body.read)
	}
	u.Size, u.Length, u.Body = core.UnknownSize, core.UnknownSize, strings.NewReader(strings.Repeat("x", 1001))
	checkCode(t, "of unknown size", k.store(u), storageerr.CodeQuota)
	k.checkConsistency()
}

type countingReader struct{ read int }

func (c *countingReader) Read(to []byte) (int, error) {
	c.read += len(to)
	return len(to), nil
}

func TestConcurrentUploadsRespectQuota(t *testing.T) {
	t.Parallel()
	for name, quota := range map[string]string{
		"of a bucket":     `insert into storage.quotas (bucket_id, max_objects) values ('own', 5)`,
		"of all buckets":  `insert into storage.quotas (max_objects) values (5)`,
		"of one user":     `insert into storage.quotas (owner_id, max_objects) values ('` + ana + `', 5), (null, 1)`,
		"of all together": `insert into storage.quotas (bucket_id, each_user, max_objects) values ('own', false, 5)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := start(t)
			k.exec(quota)
			servers := []*core.Service{k.Service, k.another()}
			results := make(chan string, 20)
			var all sync.WaitGroup
			for i := range 20 {
				all.Go(func() {
					u := owned(ana, fmt.Sprintf("a/%d", i), 10, false)
					_, err := servers[i%2].Upload(t.Context(), service, u, false)
					results <- code(err)
				})
			}
			all.Wait()
			close(results)
			count := map[string]int{}
			for result := range results {
				count[result]++
			}
			if count[""] != 5 || count[storageerr.CodeQuota] != 15 {
				t.Errorf("%v, want 5 stored and 15 refused", count)
			}
		})
	}
}

// Two uploads that count towards one quota wait for each other, although they change different
// rows.
func TestUploadWaitsForUncommittedUpload(t *testing.T) {
	t.Parallel()
	type object struct{ bucket, owner string }
	for name, test := range map[string]struct {
		quota         string
		first, second object
	}{
		"of a user in all buckets": {`insert into storage.quotas (max_objects) values (1)`, object{"own", ana}, object{"open", ana}},
		"of all users in a bucket": {`insert into storage.quotas (bucket_id, each_user, max_objects) values ('own', false, 1)`, object{"own", ana}, object{"own", ben}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := start(t)
			k.exec(test.quota)
			const insert = `insert into storage.objects (bucket_id, owner_id, name, version) values ($1, $2, $2, gen_random_uuid()::text)`
			first, err := k.db.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = first.Rollback(context.WithoutCancel(t.Context())) }()
			if _, err := first.Exec(t.Context(), insert, test.first.bucket, test.first.owner); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() {
				_, err := k.db.Exec(t.Context(), insert, test.second.bucket, test.second.owner)
				done <- err
			}()
			for waits := false; !waits; {
				select {
				case err := <-done:
					t.Fatalf("the second does not wait: %v", err)
				default:
				}
				const waiting = `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`
				if err := k.db.QueryRow(t.Context(), waiting).Scan(&waits); err != nil {
					t.Fatal(err)
				}
			}
			if err := first.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			var refused *pgconn.PgError
			if err := <-done; !errors.As(err, &refused) || refused.ConstraintName != "storage_quota" {
				t.Errorf("the second is stored too: %v", err)
			}
		})
	}
}

func TestUnfinishedUploadsCountTowardsQuota(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`insert into storage.quotas (bucket_id, max_bytes) values ('own', 1000)`)
	k.exec(`create policy everything on storage.objects to authenticated using (true) with check (true)`)
	call := core.Call{Who: claims.Caller{Role: claims.Authenticated, Subject: ana}, Operation: "storage.object.upload"}
	begin := func(key string, length int64) string {
		_, err := k.Resumables.Begin(t.Context(), call, core.Target{Bucket: "own", Key: key, Owner: ana, MimeType: "text/plain", Length: length}, "", "", false)
		return code(err)
	}
	checkCode(t, "an upload", begin("a/1", 600), "")
	checkCode(t, "a second upload", begin("a/2", 401), storageerr.CodeQuota)
	checkCode(t, "a second object", k.store(owned(ana, "a/3", 401, false)), storageerr.CodeQuota)
	made, err := k.Multiparts.Begin(t.Context(), call, core.Target{Bucket: "own", Key: "a/4", Owner: ana, MimeType: "text/plain", Length: core.UnknownSize}, "")
	if err != nil {
		t.Fatal(err)
	}
	part := func(number, size int, known int64) string {
		_, err := k.Multiparts.PutPart(t.Context(), call, "own", "a/4", made.ID, number, strings.NewReader(strings.Repeat("x", size)), known)
		return code(err)
	}
	checkCode(t, "a part", part(1, 300, 300), "")
	checkCode(t, "a part that is too large", part(2, 101, 101), storageerr.CodeQuota)
	checkCode(t, "a part of unknown size that is too large", part(2, 101, core.UnknownSize), storageerr.CodeQuota)
	checkCode(t, "a part that fits", part(2, 100, core.UnknownSize), "")
	checkCode(t, "a replaced part", part(2, 90, 90), "")
	if _, err := k.Multiparts.Complete(t.Context(), call, "own", "a/4", made.ID, nil); err != nil {
		t.Fatal(err)
	}
	checkCode(t, "all remaining bytes", k.store(owned(ana, "a/3", 10, false)), "")
	checkCode(t, "one byte more", k.store(owned(ana, "a/5", 1, false)), storageerr.CodeQuota)
}

func TestMovesAndCopiesCountTowardsQuota(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`insert into storage.quotas (bucket_id, max_bytes) values ('open', 100)`)
	checkCode(t, "an object", k.store(owned(ana, "a/1", 80, false)), "")
	if _, err := k.Copy(t.Context(), service, core.Copy{Bucket: "own", Key: "a/1", To: core.Target{Bucket: "open", Key: "a/1", Owner: ana}, KeepMetadata: true}); err != nil {
		t.Fatal(err)
	}
	_, err := k.Copy(t.Context(), service, core.Copy{Bucket: "own", Key: "a/1", To: core.Target{Bucket: "open", Key: "a/2", Owner: ana}, KeepMetadata: true})
	checkCode(t, "a second copy", code(err), storageerr.CodeQuota)
	_, err = k.Move(t.Context(), service, "own", "a/1", "open", "a/2", "")
	checkCode(t, "a move", code(err), storageerr.CodeQuota)
	if err := k.Delete(t.Context(), service, "open", "a/1"); err != nil {
		t.Fatal(err)
	}
	_, err = k.Move(t.Context(), service, "own", "a/1", "open", "a/2", ben)
	checkCode(t, "a move after a deletion", code(err), "")
	for _, user := range []string{ana, ben} {
		if usage, stored := k.usage(user); usage != stored {
			t.Errorf("counted %s, stored %s", usage, stored)
		}
	}
	k.exec(`set storage.allow_delete_query = 'true'; truncate storage.objects`)
	if usage, stored := k.usage(ben); usage != stored {
		t.Errorf("after a truncate: counted %s, stored %s", usage, stored)
	}
}

// A dump of data is loaded with triggers disabled, and contains the counts besides the rows that
// are counted.
func TestRestoredObjectsAreCountedOnce(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`begin;
		set local session_replication_role = replica;
		insert into storage.quotas (id, bucket_id, each_user, max_bytes) overriding system value values (1, 'own', true, 1000), (2, 'own', false, 1000);
		insert into storage.objects (bucket_id, name, owner_id, metadata) values ('own', 'a/1', '` + ana + `', '{"size": 600}'), ('own', 'a/2', '` + ana + `', '{"size": 300}');
		insert into storage.shared_usage values (2, 900, 2);
		insert into storage.usage values ('own', '` + ana + `', 0, 900, 2);
		commit`)
	usage, stored := k.usage(ana)
	checkCode(t, "counted", usage, stored)
	checkCode(t, "for the shared quota", k.texts(`select bytes || ' in ' || objects from storage.shared_usage`)[0], "900 in 2")
	checkCode(t, "more bytes than remain", k.store(owned(ana, "a/3", 101, false)), storageerr.CodeQuota)
	checkCode(t, "all remaining bytes", k.store(owned(ana, "a/3", 100, false)), "")
}
