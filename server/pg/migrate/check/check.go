// Package check finds statements of pending migrations that would block a serving database for long, and those after
// which the former version of the server would fail.
//
// It runs the migrations on a shadow database that has those applied before, and reads after each statement what
// PostgreSQL did: the locks that the transaction holds, tables that were rewritten or scanned, and what changed in the
// catalogue. It concludes nothing from the text of a statement.
package check

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
)

// Kind is what a finding is about, and the word that allows it in a comment.
type Kind string

// Kinds of findings.
const (
	Rewrite   Kind = "rewrite"   // a table is rewritten
	Scan      Kind = "scan"      // all rows of a table are read while a lock is held
	Index     Kind = "index"     // an index is built while a lock is held
	Former    Kind = "former"    // the former version of the server misses something
	Unchecked Kind = "unchecked" // the statement fails, so that it and those after it were not checked
)

// Size is that of a table in the database to be migrated, without its indexes.
type Size struct {
	Rows  int64 `json:"rows"` // an estimate; -1: the table was never analyzed
	Bytes int64 `json:"bytes"`
}

// Hold is a table that is locked while a statement runs.
type Hold struct {
	Table  string `json:"table"`
	Blocks string `json:"blocks"` // "writes", or "reads and writes"
	Size   *Size  `json:"size,omitempty"`
	File   string `json:"file"` // of the statement that took the lock
	Line   int    `json:"line"`
}

// Finding is a statement that should not run as it is on a serving database.
type Finding struct {
	Source    string   `json:"source"`
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Statement string   `json:"statement"` // its beginning
	Kind      Kind     `json:"kind"`
	Table     string   `json:"table,omitempty"`
	Size      *Size    `json:"size,omitempty"` // absent if the database does not have the table
	Holds     []Hold   `json:"holds,omitempty"`
	Problem   string   `json:"problem"`
	Safe      []string `json:"safe"` // migrations that do the same, one after another; empty if there are none
	Note      string   `json:"note,omitempty"`
}

// Report is what was found.
type Report struct {
	Findings []Finding `json:"findings"`
	Warnings []string  `json:"warnings"`
	Files    int       `json:"files"`   // files that were checked
	Allowed  int       `json:"allowed"` // findings that a comment allows
}

// NewReport returns a report without findings.
func NewReport() Report { return Report{Findings: []Finding{}, Warnings: []string{}} }

// ErrFindings is returned by commands for a report with findings.
var ErrFindings = errors.New("pending migrations would block queries or break running servers")

// Options configures a check.
type Options struct {
	Since    int64 // check the project's migrations after this version; 0: those that the database lacks
	MinBytes int64 // leave out findings about smaller tables, except those of the kind Former
}

// Find returns what Up would apply to a database, of each source in order.
func Find(ctx context.Context, conn *pgx.Conn, sources []migrate.Source, o Options) ([]migrate.Backlog, error) {
	var found []migrate.Backlog
	for i, source := range sources {
		since := int64(0)
		if i == len(sources)-1 {
			since = o.Since
		}
		b, err := migrate.FindBacklog(ctx, conn, source, since)
		if err != nil {
			return nil, err
		}
		found = append(found, b)
	}
	return found, nil
}

// IsNeeded reports whether there is something to check: migrations of a new database block nobody.
func IsNeeded(backlogs []migrate.Backlog) bool { return lastPending(backlogs) >= 0 }

func lastPending(backlogs []migrate.Backlog) int {
	for i, b := range slices.Backward(backlogs) {
		if !b.IsNew && len(b.Versioned)+len(b.Repeatable) > 0 {
			return i
		}
	}
	return -1
}

// Run checks pending migrations on the shadow database at a URL, which must be empty. conn is a connection to
// the database to be migrated, which is only read. A statement that fails on the shadow database is a finding,
// after which nothing is checked.
func Run(ctx context.Context, conn *pgx.Conn, shadow string, backlogs []migrate.Backlog, o Options) (Report, error) {
	c := &checker{shadow: shadow, options: o, made: make(map[uint32]bool), report: NewReport()}
	if err := c.readSizes(ctx, conn); err != nil {
		return c.report, err
	}
	for _, b := range backlogs[:lastPending(backlogs)+1] {
		if err := c.checkSource(ctx, b); errors.Is(err, errStopped) {
			return c.report, nil
		} else if err != nil {
			return c.report, err
		}
	}
	return c.report, nil
}

// errStopped ends a check at a statement that fails.
var errStopped = errors.New("a statement failed")

// checker is one check.
type checker struct {
	shadow      string
	options     Options
	sizes       map[string]Size // by names of tables
	lockTimeout int64           // that of the database to be migrated
	report      Report

	made     map[uint32]bool // relations that pending migrations have made
	existing *snapshot       // what was there before the source's pending migrations
	known    map[object]column
	file     *fileCheck
}

func (c *checker) readSizes(ctx context.Context, conn *pgx.Conn) error {
	c.sizes = make(map[string]Size)
	rows, err := conn.Query(ctx, listSizes)
	if err != nil {
		return fmt.Errorf("read the sizes of tables: %w", err)
	}
	var name string
	var size Size
	if _, err := pgx.ForEachRow(rows, []any{&name, &size.Rows, &size.Bytes}, func() error {
		c.sizes[name] = size
		return nil
	}); err != nil {
		return fmt.Errorf("read the sizes of tables: %w", err)
	}
	return conn.QueryRow(ctx, showLockTimeout).Scan(&c.lockTimeout)
}

// existed reports whether a relation was there before all pending migrations.
func (c *checker) existed(oid uint32) bool {
	_, ok := c.existing.relations[oid]
	return ok && !c.made[oid]
}

// checkSource brings the shadow to what the database has of a source, and checks the rest.
func (c *checker) checkSource(ctx context.Context, b migrate.Backlog) error {
	for _, version := range b.Unknown {
		c.warn("%s: the database has the migration %s, which has no file here: what it made is not known", b.Source.Name, version)
	}
	before := b.Applied()
	if b.IsNew {
		before = b.Source
	}
	if _, err := migrate.Up(ctx, c.shadow, []migrate.Source{before}, nil); err != nil {
		return fmt.Errorf("apply the former migrations to the shadow database: %w", err)
	}
	if b.IsNew {
		return nil
	}
	if len(b.Versioned) > 0 {
		if err := c.onShadow(ctx, func(conn *pgx.Conn) error { return c.checkVersioned(ctx, conn, b) }); err != nil {
			return err
		}
	}
	if len(b.Repeatable) == 0 {
		return nil
	}
	if _, err := migrate.Up(ctx, c.shadow, []migrate.Source{b.Repeatables()}, nil); err != nil {
		return fmt.Errorf("apply functions, views and policies to the shadow database: %w", err)
	}
	return c.onShadow(ctx, func(conn *pgx.Conn) error { return c.checkRepeatable(ctx, conn, b) })
}

// onShadow runs fn in a session of its own, and notes what it made.
func (c *checker) onShadow(ctx context.Context, fn func(*pgx.Conn) error) error {
	config, err := pgx.ParseConfig(c.shadow)
	if err != nil {
		return fmt.Errorf("address of the shadow database: %w", err)
	}
	// Migrations may discard prepared statements.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connect to the shadow database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if c.existing, err = read(ctx, conn); err != nil {
		return err
	}
	c.startFormer()
	if err := fn(conn); err != nil {
		return err
	}
	after, err := read(ctx, conn)
	if err != nil {
		return err
	}
	for oid := range maps.Keys(after.relations) {
		if _, there := c.existing.relations[oid]; !there {
			c.made[oid] = true
		}
	}
	return nil
}

func (c *checker) warn(format string, args ...any) {
	c.report.Warnings = append(c.report.Warnings, fmt.Sprintf(format, args...))
}
