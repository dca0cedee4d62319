package testkit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/sql"
)

// Names of databases on the test server.
const (
	testPrefix     = "test_"
	templatePrefix = "template_"
)

// layout describes the contents of a test database.
type layout struct {
	name    string
	folders []string // whose files make the template's checksum
	sources []migrate.Source
	profile string // a folder of SQL files that distribute its tables over Citus's workers, if there are any
}

var (
	empty       = layout{name: "empty"}
	platform    = layout{name: "platform", folders: []string{"bootstrap"}, sources: []migrate.Source{migrate.Platform(sql.FS)}}
	marketplace = layout{
		name:    "plaza",
		folders: []string{"bootstrap", "migrations", "functions", "views", "policies", "seed/reference"},
		sources: []migrate.Source{migrate.Platform(sql.FS), migrate.Project(sql.FS)},
		profile: "sql/shards",
	}
)

// templateLock is held on the server while a template is created. Roles belong to the whole server,
// so two templates are never created at once.
const templateLock = 0x74657374 // "test"

const (
	templateReady = `select exists (select from pg_database where datname = $1 and datistemplate)`
	// A clone lacks what PostgreSQL stores outside the database: the settings of ALTER DATABASE and
	// the grants on the database itself.
	copySettings = `insert into pg_db_role_setting (setdatabase, setrole, setconfig)
		select copy.oid, s.setrole, s.setconfig
		from pg_db_role_setting s
		join pg_database original on original.oid = s.setdatabase
		join pg_database copy on copy.datname = $2
		where original.datname = $1`
	copyGrants = `update pg_database set datacl = (select datacl from pg_database where datname = $1)
		where datname = $2`
	listTests = `select datname from pg_database where starts_with(datname, $1)`
)

// templates caches, per layout, the result of creating the template.
var templates sync.Map // layout name → func() (string, error)

// template returns the name of the layout's template and creates it if necessary.
func template(from layout) (string, error) {
	made, _ := templates.LoadOrStore(from.name, sync.OnceValues(func() (string, error) {
		return makeTemplate(context.Background(), from)
	}))
	return made.(func() (string, error))()
}

func makeTemplate(ctx context.Context, from layout) (string, error) {
	sum, err := checksum(from.folders)
	if err != nil {
		return "", err
	}
	name := templatePrefix + from.name + "_" + sum
	address, err := server()
	if err != nil {
		return "", err
	}
	// Not on a connection that is used again, as that would keep the lock.
	err = connected(ctx, address, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", int64(templateLock)); err != nil {
			return err
		}
		if err := dropLeftovers(ctx, conn); err != nil {
			return err
		}
		var ready bool
		if err := conn.QueryRow(ctx, templateReady, name).Scan(&ready); err != nil || ready {
			return err
		}
		return fillTemplate(ctx, conn, name, from)
	})
	if err != nil {
		return "", fmt.Errorf("make test database template %s: %w", name, err)
	}
	return name, nil
}

// fillTemplate creates the template under another name first, so that an incomplete one is never
// used.
func fillTemplate(ctx context.Context, conn *pgx.Conn, name string, from layout) error {
	draft := name + "_new"
	err := execAll(ctx, conn,
		"drop database if exists "+draft+" with (force)",
		"create database "+draft+" template template0")
	if err != nil {
		return err
	}
	address, err := addressOf(draft)
	if err != nil {
		return err
	}
	if _, err := migrate.Up(ctx, address, from.sources, nil); err != nil {
		return err
	}
	if err := distribute(ctx, draft, from.profile); err != nil {
		return err
	}
	return onServersOf(ctx, from, func(conn *pgx.Conn) error {
		return execAll(ctx, conn, fmt.Sprintf(endConnections, draft),
			"alter database "+draft+" rename to "+name,
			"alter database "+name+" with is_template true allow_connections false")
	})
}

func execAll(ctx context.Context, conn *pgx.Conn, statements ...string) error {
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// createDatabase clones a layout's template.
func createDatabase(ctx context.Context, name string, from layout) error {
	original := "template0"
	if from.sources != nil {
		var err error
		if original, err = template(from); err != nil {
			return err
		}
	}
	return onServersOf(ctx, from, func(conn *pgx.Conn) error {
		// Copying files is the faster strategy if nothing is synced to disk.
		err := execAll(ctx, conn, "create database "+name+" template "+original+" strategy file_copy")
		if err != nil {
			return err
		}
		for _, copying := range []string{copySettings, copyGrants} {
			if _, err := conn.Exec(ctx, copying, original, name); err != nil {
				return fmt.Errorf("clone %s: %w", original, err)
			}
		}
		return nil
	})
}

// endSlots ends the connections that use replication slots of a database, which WITH (FORCE) does
// not. A connection that its client has closed uses its slot for a while.
const endSlots = `do $$
begin
  while (
    select count(pg_terminate_backend(active_pid)) from pg_replication_slots where database = '%s' and active_pid is not null
  ) > 0 loop
    perform pg_sleep(0.01);
  end loop;
end $$`

func dropDatabase(ctx context.Context, name string) error {
	return onServersOf(ctx, marketplace, func(conn *pgx.Conn) error {
		statements := []string{fmt.Sprintf(endSlots, name)}
		if OnCitus() { // WITH (FORCE) does not keep Citus's maintenance process from starting again
			statements = append(statements, fmt.Sprintf(endConnections, name))
		}
		return execAll(ctx, conn, append(statements, "drop database if exists "+name+" with (force)")...)
	})
}

// dropLeftovers drops databases of test processes that no longer exist.
func dropLeftovers(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, listTests, testPrefix)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		owner, _, _ := strings.Cut(strings.TrimPrefix(name, testPrefix), "_")
		pid, err := strconv.Atoi(owner)
		if err != nil || pid == os.Getpid() || !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			continue
		}
		if err := execAll(ctx, conn, "drop database if exists "+name+" with (force)"); err != nil {
			return err
		}
	}
	return nil
}

// idleAdmins are open connections to the server's maintenance database, on which nothing runs. Opening one takes as
// long as creating a database does, and a run creates more than a thousand.
var idleAdmins = make(chan *pgx.Conn, 4)

// asAdmin runs work on the server's maintenance database. The connection is used again, unless it failed.
func asAdmin(ctx context.Context, work func(*pgx.Conn) error) (err error) {
	address, err := server()
	if err != nil {
		return err
	}
	var conn *pgx.Conn
	select {
	case conn = <-idleAdmins:
	default:
		if conn, err = pgx.Connect(ctx, address); err != nil {
			return err
		}
	}
	if err := work(conn); err != nil {
		return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	select {
	case idleAdmins <- conn:
		return nil
	default:
		return conn.Close(context.WithoutCancel(ctx))
	}
}

// connected runs work on a connection of its own.
func connected(ctx context.Context, address string, work func(*pgx.Conn) error) (err error) {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	return work(conn)
}

// checksum returns a short checksum, for use in names, of all paths and contents of the folders'
// SQL files.
func checksum(folders []string) (string, error) {
	hash := sha256.New()
	for _, folder := range folders {
		err := fs.WalkDir(sql.FS, folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := fs.ReadFile(sql.FS, path)
			fmt.Fprintf(hash, "%s %d\n%s", path, len(text), text)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}
