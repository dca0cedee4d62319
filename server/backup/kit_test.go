package backup_test

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/backup"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/pg/embedded"
	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/storage/blob"
	"plaza/storage/blob/disk"
	"plaza/storage/core"
	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
)

// kit is a project with its own PostgreSQL server, because a backup copies the whole
// server, and with objects in a folder.
type kit struct {
	t        testing.TB
	db       *pgxpool.Pool
	database string
	objects  *core.Service
	store    *disk.Store
	folder   string // contains the objects
	source   backup.Source
}

var service = core.Call{Who: claims.ForRole(claims.ServiceRole), Operation: "storage.object.upload"}

// shared is the PostgreSQL server of this test process, with a migrated database that
// tests copy.
var shared = sync.OnceValues(func() (*cluster.Cluster, error) {
	ctx := context.Background()
	own, err := cluster.Start(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, own.URL())
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "create database migrated"); err != nil {
		return nil, err
	}
	_, err = migrate.Up(ctx, address(own, "migrated"), []migrate.Source{migrate.Platform(sql.FS)}, nil)
	return own, err
})

// copying serializes copies of the migrated database.
var copying sync.Mutex

func address(own *cluster.Cluster, database string) string {
	return strings.Replace(own.URL(), "/postgres?", "/"+database+"?", 1)
}

// newDatabase creates a copy of the migrated database.
func newDatabase(t testing.TB) (name, at string) {
	t.Helper()
	own, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	name = "backup_" + strings.ToLower(rand.Text())
	outside := testkit.Open(t, own.URL())
	copying.Lock()
	_, err = outside.Exec(t.Context(), "create database "+name+" template migrated strategy file_copy")
	copying.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = outside.Exec(context.Background(), "drop database "+name+" with (force)") })
	return name, address(own, name)
}

func start(t testing.TB) *kit {
	t.Helper()
	name, at := newDatabase(t)
	return startAt(t, name, at)
}

// startAt is like start, on an existing database.
func startAt(t testing.TB, name, at string) *kit {
	t.Helper()
	var err error
	k := &kit{t: t, db: testkit.Open(t, at), database: name, folder: t.TempDir()}
	if k.store, err = disk.Open(k.folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.store.Close() })
	serverDB, err := pg.Open(t.Context(), pg.Config{
		CallerURL: at, ServiceURL: at, MaxCallers: 4, MaxService: 2, AcquireTimeout: 10 * time.Second,
		SearchPath: []string{"public"}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serverDB.Close)
	k.objects = core.New(core.Config{FileSizeLimit: 1 << 30, ResumableLifetime: time.Hour},
		core.Deps{DB: serverDB, Blobs: k.store, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "secrets.json"), []byte(`{"postgres_password": "postgres"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	k.source = backup.Source{DatabaseURL: at, Blobs: k.store, DataDir: data, ObjectFolder: k.folder, Version: "test", Keys: "these"}
	k.exec(`insert into storage.buckets (id, name) values ('own', 'own')`)
	return k
}

func (k *kit) exec(sql string, args ...any) {
	k.t.Helper()
	if _, err := k.db.Exec(k.t.Context(), sql, args...); err != nil {
		k.t.Fatal(err)
	}
}

func (k *kit) put(key, content string) {
	k.t.Helper()
	_, err := k.objects.Upload(k.t.Context(), service, core.Upload{
		Target: core.Target{Bucket: "own", Key: key, Upsert: true, MimeType: "text/plain", Length: int64(len(content))},
		Size:   int64(len(content)), Body: strings.NewReader(content),
	}, false)
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *kit) remove(key string) {
	k.t.Helper()
	if err := k.objects.Delete(k.t.Context(), service, "own", key); err != nil {
		k.t.Fatal(err)
	}
}

// blobFile returns the path of the file that stores an object.
func (k *kit) blobFile(key string) string {
	k.t.Helper()
	var name string
	err := k.db.QueryRow(k.t.Context(), `select storage.blob_name(bucket_id, name, version) from storage.objects where name = $1`, key).Scan(&name)
	if err != nil {
		k.t.Fatal(err)
	}
	return filepath.Join(k.folder, name)
}

func quiet(string) {}

// makeBackup makes a backup in a new folder.
func (k *kit) makeBackup(o backup.Options) (string, backup.Description, error) {
	k.t.Helper()
	dir := filepath.Join(k.t.TempDir(), "backup")
	if o.Progress == nil {
		o.Progress = quiet
	}
	made, err := backup.Make(k.t.Context(), k.source, dir, o)
	return dir, made, err
}

// watched is a store that calls first before the first blob is read, which is after the
// database was copied.
type watched struct {
	blob.Store
	once  sync.Once
	first func()
}

func (w *watched) Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	w.once.Do(w.first)
	return w.Store.Get(ctx, name, offset, length)
}

// failing is a store whose Get always fails.
type failing struct {
	blob.Store
	err error
}

func (f *failing) Get(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return nil, f.err
}

// target returns a target for a restore: an empty data folder that PostgreSQL's user can access.
func target(t testing.TB) backup.Target {
	t.Helper()
	dir, err := os.MkdirTemp("", "plaza restore ")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // PostgreSQL's user needs access
		t.Fatal(err)
	}
	return backup.Target{
		DataDir: filepath.Join(dir, "data"), Postgres: postgres(), Schema: 1 << 30, Progress: quiet,
		OpenBlobs: func(_ context.Context, dataDir string) (blob.Store, io.Closer, error) {
			store, err := disk.Open(filepath.Join(dataDir, "storage"))
			return store, store, err
		},
	}
}

func postgres() embedded.Config {
	return embedded.Config{Roots: []string{"../.."}, Password: "postgres", Settings: map[string]string{"fsync": "off"}}
}

// restoredContent returns the content of a restored data folder: the objects by key, and the number
// of unfinished uploads.
func (k *kit) restoredContent(dataDir string) (objects map[string]string, uploads int) {
	t := k.t
	t.Helper()
	config := postgres()
	config.DataDir = filepath.Join(dataDir, "postgres")
	server, err := embedded.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Stop(context.Background()) }()
	conn, err := pgx.Connect(t.Context(), strings.Replace(server.AdminURL(), "/postgres?", "/"+k.database+"?", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	err = conn.QueryRow(t.Context(), `select (select count(*) from storage.resumable_uploads) + (select count(*) from storage.s3_multipart_uploads)`).Scan(&uploads)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), `select name, storage.blob_name(bucket_id, name, version) from storage.objects`)
	if err != nil {
		t.Fatal(err)
	}
	objects = map[string]string{}
	var key, name string
	_, err = pgx.ForEachRow(rows, []any{&key, &name}, func() error {
		content, err := os.ReadFile(filepath.Join(dataDir, "storage", name))
		objects[key] = string(content)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return objects, uploads
}

// problems returns the problems listed in objects.csv by object key.
func problems(t testing.TB, dir string) map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "objects.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, line := range lines[1:] {
		if line[6] != "" {
			found[line[5]] = line[6]
		}
	}
	return found
}

// mustFail checks that an error is the one wanted and contains the texts.
func mustFail(t testing.TB, what string, err, want error, says ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v", what, err)
		return
	}
	for _, text := range says {
		if !strings.Contains(fmt.Sprint(err), text) {
			t.Errorf("%s: error %v, want %q in it", what, err, text)
		}
	}
}

// expectEmpty checks that a folder is empty.
func expectEmpty(t testing.TB, folder string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	for _, entry := range entries {
		t.Errorf("%s is left in %s", entry.Name(), folder)
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
