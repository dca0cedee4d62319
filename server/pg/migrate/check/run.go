package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/lazyregexp"
	"plaza/server/pg/migrate"
)

// fileCheck is the check of files that run in one transaction: of one migration, or of all repeatable files.
type fileCheck struct {
	source string
	since  map[uint32]taken // the locks that the transaction holds
	last   *snapshot        // after the statement before; nil in a new transaction
	own    bool             // the file itself has begun the open transaction
	former former
	big    []string // statements that locked large tables without lock_timeout
}

// taken is a lock, and the statement that took it.
type taken struct {
	strength strength
	file     string
	line     int
}

// effect is a statement and what it did.
type effect struct {
	file          string
	statement     migrate.Statement
	before, after *snapshot
	inTransaction bool
	took          map[uint32]bool // relations whose locks became stronger
}

func (c *checker) checkVersioned(ctx context.Context, conn *pgx.Conn, b migrate.Backlog) error {
	for _, f := range b.Versioned {
		if err := c.checkTogether(ctx, conn, b.Source, []migrate.PendingFile{f}); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) checkRepeatable(ctx context.Context, conn *pgx.Conn, b migrate.Backlog) error {
	return c.checkTogether(ctx, conn, b.Source, b.Repeatable)
}

// checkTogether checks files that run in one transaction, unless the only one of them runs in none.
func (c *checker) checkTogether(ctx context.Context, conn *pgx.Conn, source migrate.Source, files []migrate.PendingFile) error {
	c.file = &fileCheck{source: source.Name, since: make(map[uint32]taken), former: former{make(map[object]loss)}}
	if err := source.ResetSession(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, setLockTimeout, strconv.FormatInt(c.lockTimeout, 10)); err != nil {
		return err
	}
	for _, f := range files {
		c.report.Files++
		if err := c.checkFile(ctx, conn, f); err != nil {
			return err
		}
		if err := source.ResetSession(ctx, conn); err != nil {
			return err
		}
	}
	if inTransaction(conn) {
		if _, err := conn.Exec(ctx, "commit"); err != nil {
			c.add(Finding{File: files[len(files)-1].Path, Line: 1, Kind: Unchecked, Problem: "the transaction cannot be committed in the shadow database: " + err.Error()}, "")
			return errStopped
		}
	}
	c.reportFormer()
	if len(c.file.big) > 0 {
		c.warn("%s: lock_timeout is 0 here, so the migration waits behind any long transaction, and all requests wait behind it. "+
			"Begin with: set local lock_timeout = '5s'; and run it again if it fails", strings.Join(c.file.big, ", "))
	}
	return nil
}

func inTransaction(conn *pgx.Conn) bool { return conn.PgConn().TxStatus() == 'T' }

func (c *checker) checkFile(ctx context.Context, conn *pgx.Conn, f migrate.PendingFile) error {
	if err := c.begin(ctx, conn, f.Alone); err != nil {
		return err
	}
	text, err := f.Prepare(ctx, conn)
	if err != nil {
		return c.stop(f.Path, migrate.Statement{Line: 1}, err)
	}
	c.file.last = nil // Prepare may have made stand-ins for extensions
	for _, s := range migrate.Statements(text) {
		if err := c.checkStatement(ctx, conn, f, s); err != nil {
			return err
		}
	}
	return nil
}

// begin begins a transaction if none is open, as after a commit in the file.
func (c *checker) begin(ctx context.Context, conn *pgx.Conn, alone bool) error {
	if alone || inTransaction(conn) {
		return nil
	}
	c.file.last = nil
	clear(c.file.since)
	_, err := conn.Exec(ctx, "begin")
	return err
}

func (c *checker) checkStatement(ctx context.Context, conn *pgx.Conn, f migrate.PendingFile, s migrate.Statement) (err error) {
	if err := c.begin(ctx, conn, s.Alone); err != nil {
		return err
	}
	if c.file.last == nil {
		if c.file.last, err = read(ctx, conn); err != nil {
			return err
		}
	}
	e := effect{file: f.Path, statement: s, before: c.file.last, took: make(map[uint32]bool)}
	tag, err := conn.Exec(ctx, s.Text, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return c.stop(f.Path, s, err)
	}
	e.inTransaction = inTransaction(conn)
	if e.after, err = read(ctx, conn); err != nil {
		return err
	}
	for oid, is := range e.after.locks {
		if is > c.file.since[oid].strength {
			c.file.since[oid], e.took[oid] = taken{is, f.Path, s.Line}, true
		}
	}
	c.file.last = e.after
	if err := c.judge(ctx, conn, e); err != nil {
		return err
	}
	c.file.former.follow(e, c.known)
	c.noteBig(e)
	c.file.own = inTransaction(conn) && (c.file.own || tag.String() == "BEGIN")
	if f.Alone && inTransaction(conn) && !c.file.own {
		_, err = conn.Exec(ctx, "commit")
		c.file.last = nil
		clear(c.file.since)
	}
	return err
}

// stop reports a statement that fails, and ends the check.
func (c *checker) stop(path string, s migrate.Statement, err error) error {
	var fault *pgconn.PgError
	if !errors.As(err, &fault) {
		return fmt.Errorf("%s:%d: %w", path, s.Line, err)
	}
	c.add(Finding{
		File: path, Line: s.Line, Statement: beginning(s.Text), Kind: Unchecked,
		Problem: "it fails on the shadow database, so that it and what follows were not checked: " + fault.Message,
		Note:    "If it needs rows, or what was made without a migration, try it on a copy of the database.",
	}, "")
	return errStopped
}

// A table of at least one of these sizes should be locked with a lock_timeout only.
const (
	bigRows  = 100_000
	bigBytes = 100 << 20
)

// noteBig notes large tables that a statement locked without lock_timeout.
func (c *checker) noteBig(e effect) {
	if e.before.lockTimeout > 0 {
		return
	}
	var names []string
	for oid := range e.took {
		if r, ok := e.before.relations[oid]; ok && c.existed(oid) && r.isTable() {
			name, size := c.sizeOf(e.before, oid)
			if size != nil && (size.Rows >= bigRows || size.Bytes >= bigBytes) {
				names = append(names, fmt.Sprintf("%s:%d locks %s (%s)", e.file, e.statement.Line, name, size))
			}
		}
	}
	slices.Sort(names)
	c.file.big = append(c.file.big, slices.Compact(names)...)
}

// sizeOf returns the name that a table, or the partitioned table that it is part of, had before the migrations,
// and its size in the database to be migrated; nil if that does not have it.
func (c *checker) sizeOf(s *snapshot, oid uint32) (name string, size *Size) {
	root := s.relations[oid].root
	r, ok := c.existing.relations[root]
	if !ok {
		r = s.relations[root]
	}
	if found, ok := c.sizes[r.String()]; ok {
		size = &found
	}
	return r.String(), size
}

// holds returns the tables that the transaction keeps locked.
func (c *checker) holds(s *snapshot) (holds []Hold) {
	strongest := make(map[string]taken)
	sizes := make(map[string]*Size)
	for oid, lock := range c.file.since {
		r, ok := s.relations[oid]
		if !ok || !c.existed(oid) || !r.isTable() || r.kind == "m" && lock.strength < blocksAll {
			continue
		}
		name, size := c.sizeOf(s, oid)
		if sizes[name] = size; lock.strength > strongest[name].strength {
			strongest[name] = lock
		}
	}
	for name, lock := range strongest {
		holds = append(holds, Hold{Table: name, Blocks: lock.strength.String(), Size: sizes[name], File: lock.file, Line: lock.line})
	}
	slices.SortFunc(holds, func(a, b Hold) int { return cmp.Compare(a.Table, b.Table) })
	return holds
}

// allowance is a comment that allows kinds of findings: -- plaza: allow rewrite, former
var allowance = lazyregexp.New(`(?m)--\s*plaza:\s*allow\s+([a-z]+(?:\s*,\s*[a-z]+)*)`)

// add adds a finding, unless a comment before the statement allows it.
func (c *checker) add(f Finding, lead string) {
	for _, found := range allowance().FindAllStringSubmatch(lead, -1) {
		for kind := range strings.SplitSeq(found[1], ",") {
			if strings.TrimSpace(kind) == string(f.Kind) {
				c.report.Allowed++
				return
			}
		}
	}
	if f.Kind != Former && f.Size != nil && f.Size.Bytes < c.options.MinBytes {
		return
	}
	f.Source = c.file.source
	if f.Safe == nil {
		f.Safe = []string{}
	}
	c.report.Findings = append(c.report.Findings, f)
}

// beginning returns the first words of a statement on one line.
func beginning(text string) string {
	const most = 100
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + " …"
	}
	return string(runes)
}
