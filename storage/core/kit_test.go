package core_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/storage/blob"
	"plaza/storage/blob/disk"
	"plaza/storage/core"
	"plaza/storage/storageerr"
	"plaza/tests/testkit"
)

// kit is a storage service with its own database and folder. Its sweeper and cache run only if
// a test starts them.
type kit struct {
	*core.Service
	t       testing.TB
	db      *pgxpool.Pool // as the superuser
	blobs   *faultyStore
	address string
	folder  string
}

// service is a caller with full rights.
var service = core.Call{Who: claims.ForRole(claims.ServiceRole), Operation: "storage.object.upload"}

func start(t testing.TB) *kit {
	t.Helper()
	k := open(t, testkit.PlatformURL(t), t.TempDir())
	k.exec(`insert into storage.buckets (id, name, public) values ('open', 'open', true), ('own', 'own', false)`)
	return k
}

// open returns a service on an existing database and folder.
func open(t testing.TB, address, folder string) *kit {
	t.Helper()
	store, err := disk.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	k := &kit{t: t, db: testkit.Open(t, address), blobs: &faultyStore{Store: store}, address: address, folder: folder}
	k.Service = k.another()
	return k
}

// another returns a second server on the same database and folder.
func (k *kit) another() *core.Service { return k.keeping(0) }

// keeping returns a second server that holds deleted blobs for a time.
func (k *kit) keeping(deleted time.Duration) *core.Service {
	k.t.Helper()
	address := k.address
	log := slog.New(slog.DiscardHandler)
	serverDB, err := pg.Open(k.t.Context(), pg.Config{
		CallerURL: address, ServiceURL: address, MaxCallers: 8, MaxService: 4, AcquireTimeout: 10 * time.Second,
		SearchPath: []string{"public", "extensions"}, Log: log,
	})
	if err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(serverDB.Close)
	return core.New(core.Config{
		FileSizeLimit: 1 << 20, UploadURLLifetime: time.Minute, SigningKey: []byte("a-secret-of-tests-with-32-characters"), EmptyBucketMaximum: 1000,
		ResumableLifetime: time.Hour, MemoryBytes: 1 << 20, KeepDeleted: deleted,
	}, core.Deps{DB: serverDB, Blobs: k.blobs, Log: log, Now: time.Now})
}

func (k *kit) exec(sql string, args ...any) {
	k.t.Helper()
	if _, err := k.db.Exec(k.t.Context(), sql, args...); err != nil {
		k.t.Fatal(err)
	}
}

func (k *kit) texts(sql string) []string {
	k.t.Helper()
	rows, err := k.db.Query(k.t.Context(), sql)
	if err != nil {
		k.t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		k.t.Fatal(err)
	}
	return found
}

func upload(key, content string, upsert bool) core.Upload {
	return core.Upload{
		Target: core.Target{Bucket: "own", Key: key, Upsert: upsert, MimeType: "text/plain", Length: int64(len(content))},
		Size:   int64(len(content)), Body: strings.NewReader(content),
	}
}

func (k *kit) put(key, content string, upsert bool) error {
	_, err := k.Upload(k.t.Context(), service, upload(key, content, upsert), false)
	return err
}

// content returns an object's bytes. missing means that the object has no row.
func (k *kit) content(key string) (content string, missing bool) {
	k.t.Helper()
	found, err := k.Object(k.t.Context(), service, "own", key)
	if errors.Is(err, storageerr.ErrNoSuchKey) {
		return "", true
	}
	if err != nil {
		k.t.Fatal(err)
	}
	body, err := k.Open(k.t.Context(), found, 0, found.Size)
	if err != nil {
		k.t.Fatalf("the row of %s has no bytes: %v", key, err)
	}
	defer func() { _ = body.Close() }()
	bytes, err := io.ReadAll(body)
	if err != nil {
		k.t.Fatal(err)
	}
	return string(bytes), false
}

// checkConsistency sweeps all unused blobs, including those of pending uploads. It fails the
// test if a row has no blob or a blob has no row.
func (k *kit) checkConsistency() {
	k.t.Helper()
	k.blobs.fail = nil
	k.exec(`update storage.unused_blobs set delete_after = now()`)
	if err := k.Sweep(context.Background()); err != nil {
		k.t.Fatal(err)
	}
	rows := k.texts(`select storage.blob_name(bucket_id, name, version) from storage.objects order by 1`)
	var blobs []string
	if err := k.blobs.List(context.Background(), "", func(info blob.Info) error { blobs = append(blobs, info.Name); return nil }); err != nil {
		k.t.Fatal(err)
	}
	slices.Sort(blobs)
	slices.Sort(rows)
	if !slices.Equal(rows, blobs) {
		k.t.Fatalf("rows have blobs %q, the store has %q", rows, blobs)
	}
	if unused := k.texts(`select name from storage.unused_blobs`); len(unused) > 0 {
		k.t.Fatalf("still unused: %q", unused)
	}
}

// faultyStore is a store whose steps a test can let fail.
type faultyStore struct {
	blob.Store
	fail   func(step string) error // "put", "put done", "delete", "copy", …
	remote bool                    // Get does not return a file, as with an S3 server
}

func (f *faultyStore) at(step string) error {
	if f.fail == nil {
		return nil
	}
	return f.fail(step)
}

func (f *faultyStore) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	if err := f.at("put"); err != nil {
		return 0, err
	}
	n, err := f.Store.Put(ctx, name, r, size)
	return n, errors.Join(err, f.at("put done"))
}

func (f *faultyStore) Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if err := f.at("get"); err != nil {
		return nil, err
	}
	body, err := f.Store.Get(ctx, name, offset, length)
	if f.remote && err == nil {
		return struct{ io.ReadCloser }{body}, nil
	}
	return body, err
}

func (f *faultyStore) Copy(ctx context.Context, from, to string) error {
	if err := f.at("copy"); err != nil {
		return err
	}
	return errors.Join(f.Store.Copy(ctx, from, to), f.at("copy done"))
}

func (f *faultyStore) Delete(ctx context.Context, names ...string) error {
	if err := f.at("delete"); err != nil {
		return err
	}
	return errors.Join(f.Store.Delete(ctx, names...), f.at("delete done"))
}

// code returns the code of an error that clients see.
func code(err error) string {
	if known := apierr.As(err); known != nil {
		return known.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
