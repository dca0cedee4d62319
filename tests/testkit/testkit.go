// Package testkit is the foundation of the Go tests: a real PostgreSQL with a database per test,
// callers in the roles of the API, golden files and a clock.
//
// The PostgreSQL server is the one in TEST_DATABASE_URL (make test starts it for the whole run, see
// cmd/testpg), otherwise one of this process. A database is a clone of a migrated template, whose
// name is the checksum of the SQL files: an edited file creates a new template.
//
// Only tests import this package.
package testkit

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/tests/testkit/cluster"
)

// poolSize is enough for tests that act as many clients at once.
const poolSize = 16

// DB returns a superuser's pool on a new database with the platform's and the marketplace's schema
// and reference data. Both are removed when the test ends.
func DB(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return Open(t, URL(t))
}

// URL returns the superuser's connection string of a new database like DB's.
func URL(t testing.TB) string {
	t.Helper()
	return cloneDatabase(t, marketplace)
}

// PlatformDB is like DB, with only the platform's own schema.
func PlatformDB(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return Open(t, PlatformURL(t))
}

// PlatformURL returns the connection string of a new database like PlatformDB's.
func PlatformURL(t testing.TB) string {
	t.Helper()
	return cloneDatabase(t, platform)
}

// EmptyURL returns the superuser's connection string of a new, empty database, for tests of
// migrations.
func EmptyURL(t testing.TB) string {
	t.Helper()
	return cloneDatabase(t, empty)
}

// Tx returns a superuser's transaction on a database like DB's, rolled back when the test ends. It
// is the fast choice for tests that commit nothing. All transactions of a package share one
// database: two tests that write the same unique key at once wait for each other.
func Tx(t testing.TB) pgx.Tx {
	t.Helper()
	shared, err := sharedURL()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), shared)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return begin(t, conn)
}

// Open returns a superuser's pool on the database at address, closed when the test ends.
func Open(t testing.TB, address string) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = poolSize
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// Connect connects to a database by its address. It closes the connection at the end of the test.
func Connect(t testing.TB, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// server returns the superuser's URL of the PostgreSQL that all tests of this process use.
func server() (string, error) {
	if address := os.Getenv(cluster.EnvURL); address != "" {
		return address, nil
	}
	c, err := ownCluster()
	if err != nil {
		return "", fmt.Errorf("start PostgreSQL for tests: %w", err)
	}
	return c.URL(), nil
}

// ownCluster is stopped with this process, see package cluster. This variable keeps it referenced
// until then.
var ownCluster = sync.OnceValues(func() (*cluster.Cluster, error) {
	return cluster.Start(context.Background())
})

// sharedURL is the database of all Tx of this process.
var sharedURL = sync.OnceValues(func() (string, error) {
	ctx := context.Background()
	name := newName()
	if err := createDatabase(ctx, name, marketplace); err != nil {
		return "", err
	}
	return addressOf(name)
})

func cloneDatabase(t testing.TB, from layout) string {
	t.Helper()
	name := newName()
	if err := createDatabase(t.Context(), name, from); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dropDatabase(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	address, err := addressOf(name)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

var databases atomic.Int64

// newName names a database after this process, so that leftovers of a killed test on a shared
// server can be distinguished from databases in use.
func newName() string {
	return fmt.Sprintf("%s%d_%d", testPrefix, os.Getpid(), databases.Add(1))
}

func addressOf(database string) (string, error) {
	address, err := server()
	if err != nil {
		return "", err
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("%s: %w", cluster.EnvURL, err)
	}
	u.Path = "/" + database
	return u.String(), nil
}
