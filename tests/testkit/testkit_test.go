package testkit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func TestDatabasesAreSeparate(t *testing.T) {
	t.Parallel()
	one, two := PlatformDB(t), PlatformDB(t)
	if _, err := one.Exec(t.Context(), "create table mine (n int)"); err != nil {
		t.Fatal(err)
	}
	var exists bool
	if err := two.QueryRow(t.Context(), "select to_regclass('mine') is not null").Scan(&exists); err != nil {
		t.Fatal(err)
	}
	if exists {
		t.Error("a table of one test's database is in another's")
	}
}

func TestDatabaseIsDroppedAtTheEnd(t *testing.T) {
	t.Parallel()
	var name string
	t.Run("uses a database", func(t *testing.T) {
		config, err := pgx.ParseConfig(EmptyURL(t))
		if err != nil {
			t.Fatal(err)
		}
		name = config.Database
	})
	var exists bool
	err := asAdmin(t.Context(), func(conn *pgx.Conn) error {
		return conn.QueryRow(t.Context(), "select exists (select from pg_database where datname = $1)", name).Scan(&exists)
	})
	if err != nil || exists {
		t.Errorf("database %s exists after its test: %v, %v", name, exists, err)
	}
}

func TestManyDatabasesAtOnce(t *testing.T) {
	t.Parallel()
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			name := newName()
			err := createDatabase(context.Background(), name, platform)
			if err = errors.Join(err, dropDatabase(context.Background(), name)); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

func TestCloneHasTheSettingsOfTheDatabase(t *testing.T) {
	t.Parallel()
	var path string
	if err := PlatformDB(t).QueryRow(t.Context(), "show search_path").Scan(&path); err != nil {
		t.Fatal(err)
	}
	if want := `"$user", public, extensions`; path != want {
		t.Errorf("search_path is %s, want %s", path, want)
	}
}

func TestPlatformHasNoMarketplace(t *testing.T) {
	t.Parallel()
	var tables int
	const count = `select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
	if err := PlatformDB(t).QueryRow(t.Context(), count).Scan(&tables); err != nil {
		t.Fatal(err)
	}
	if tables != 0 {
		t.Errorf("the platform's database has %d tables in public, want none", tables)
	}
}

func TestTxIsRolledBack(t *testing.T) {
	t.Parallel()
	t.Run("writes", func(t *testing.T) {
		if _, err := Tx(t).Exec(t.Context(), "create table rolled_back (n int)"); err != nil {
			t.Fatal(err)
		}
	})
	var exists bool
	if err := Tx(t).QueryRow(t.Context(), "select to_regclass('rolled_back') is not null").Scan(&exists); err != nil {
		t.Fatal(err)
	}
	if exists {
		t.Error("what a Tx wrote is still there after its test")
	}
}

func TestAsActsInTheRoleWithTheClaims(t *testing.T) {
	t.Parallel()
	db := PlatformDB(t)
	id := User(t, db, "ana@example.com")
	tx := AsUser(t, db, id)
	var role, uid, claimed string
	const who = `select current_user, (select auth.uid())::text, auth.role()`
	if err := tx.QueryRow(t.Context(), who).Scan(&role, &uid, &claimed); err != nil {
		t.Fatal(err)
	}
	if role != "authenticated" || uid != id || claimed != "authenticated" {
		t.Errorf("acts as %s, uid %s, claims %s", role, uid, claimed)
	}
	_, err := tx.Exec(t.Context(), "select from auth.users")
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "42501" {
		t.Errorf("a signed-in user reads auth.users: %v, want 42501", err)
	}
}

func TestLeftoversOfDeadProcessesAreDropped(t *testing.T) {
	t.Parallel()
	// No process has this id: Linux assigns 2^22 at most.
	const left = testPrefix + "99999999_1"
	var exists bool
	err := asAdmin(t.Context(), func(conn *pgx.Conn) error {
		if err := execAll(t.Context(), conn, "create database "+left); err != nil {
			return err
		}
		if err := dropLeftovers(t.Context(), conn); err != nil {
			return err
		}
		return conn.QueryRow(t.Context(), "select exists (select from pg_database where datname = $1)", left).Scan(&exists)
	})
	if err != nil || exists {
		t.Errorf("leftover exists: %v, %v", exists, err)
	}
}

// recorder records the failures that a helper reports.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Fatalf(string, ...any) { r.failed = true }

func TestGolden(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "testdata", "answer.json")
	golden(t, path, []byte("one\n"), true)
	golden(t, path, []byte("one\n"), false)
	changed := &recorder{TB: t}
	golden(changed, path, []byte("two\n"), false)
	if !changed.failed {
		t.Error("another text than the golden file's is accepted")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "one\n" {
		t.Errorf("a comparison changed the file to %q, %v", text, err)
	}
}

func TestClockOnlyMovesExplicitly(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 29, 12, 0, 0, 0, time.UTC)
	clock := NewClock(noon)
	clock.Advance(90 * time.Minute)
	if got, want := clock.Now(), noon.Add(90*time.Minute); !got.Equal(want) {
		t.Errorf("after 90 minutes the clock shows %s, want %s", got, want)
	}
	clock.Set(noon)
	if got := clock.Now(); !got.Equal(noon) {
		t.Errorf("set to noon the clock shows %s", got)
	}
}
