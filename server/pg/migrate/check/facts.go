package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// relation is a table, a view or an index, as the catalogue has it within a transaction.
type relation struct {
	oid        uint32
	root       uint32 // the partitioned table that it is part of, or itself
	table      uint32 // of an index
	filenode   uint32
	tablespace uint32
	form       string // access method, and whether it is logged
	partition  bool
	unique     bool // an index
	schema     string
	name       string
	kind       string // pg_class.relkind
	scans      int64  // in this transaction: sequential scans of a table, all scans of an index
}

func (r relation) String() string { return r.schema + "." + r.name }

// stores reports whether the relation has rows of its own.
func (r relation) stores() bool { return r.kind == "r" || r.kind == "m" }

func (r relation) isTable() bool { return r.stores() || r.kind == "p" }

func (r relation) isIndex() bool { return r.kind == "i" || r.kind == "I" }

type columnKey struct {
	table  uint32
	number int16
}

type column struct {
	key                 columnKey
	name, kind          string
	notNull, hasDefault bool
	identity, generated string
}

type constraint struct {
	oid, table, domain, index uint32
	name, kind                string
	valid                     bool
}

// snapshot is what a transaction sees in the catalogue, and the locks that it holds.
type snapshot struct {
	relations   map[uint32]relation
	columns     map[columnKey]column
	constraints map[uint32]constraint
	routines    map[string]bool
	locks       map[uint32]strength
	lockTimeout int64
}

// strength is what a lock blocks.
type strength int

const (
	weak         strength = iota
	blocksWrites          // and no reads
	blocksAll
)

func (s strength) String() string {
	return [...]string{"nothing", "writes", "reads and writes"}[s]
}

// strengthOf returns the strength of a lock mode against statements that read and write rows.
// Source: the table of conflicting lock modes in PostgreSQL's documentation, 13.3.
func strengthOf(mode string) strength {
	switch mode {
	case "AccessExclusiveLock":
		return blocksAll
	case "ShareLock", "ShareRowExclusiveLock", "ExclusiveLock":
		return blocksWrites
	}
	return weak
}

// read reads the catalogue in one round trip.
func read(ctx context.Context, conn *pgx.Conn) (*snapshot, error) {
	s := &snapshot{
		relations: make(map[uint32]relation), columns: make(map[columnKey]column), constraints: make(map[uint32]constraint),
		routines: make(map[string]bool), locks: make(map[uint32]strength),
	}
	var batch pgx.Batch
	queue := func(query string, collect func(rows pgx.Rows) error) {
		batch.Queue(query).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if err := collect(rows); err != nil {
					return err
				}
			}
			return rows.Err()
		})
	}
	// The locks first: reading the catalogue takes some, too.
	queue(listLocks, func(rows pgx.Rows) error {
		var oid uint32
		var mode string
		err := rows.Scan(&oid, &mode)
		s.locks[oid] = max(s.locks[oid], strengthOf(mode))
		return err
	})
	queue(listRelations, func(rows pgx.Rows) error {
		var r relation
		err := rows.Scan(&r.oid, &r.root, &r.table, &r.filenode, &r.tablespace, &r.form, &r.partition, &r.unique, &r.schema, &r.name, &r.kind, &r.scans)
		s.relations[r.oid] = r
		return err
	})
	queue(listColumns, func(rows pgx.Rows) error {
		var c column
		err := rows.Scan(&c.key.table, &c.key.number, &c.name, &c.kind, &c.notNull, &c.hasDefault, &c.identity, &c.generated)
		s.columns[c.key] = c
		return err
	})
	queue(listConstraints, func(rows pgx.Rows) error {
		var c constraint
		err := rows.Scan(&c.oid, &c.table, &c.domain, &c.index, &c.name, &c.kind, &c.valid)
		s.constraints[c.oid] = c
		return err
	})
	queue(listRoutines, func(rows pgx.Rows) error {
		var name string
		err := rows.Scan(&name)
		s.routines[name] = true
		return err
	})
	queue(showLockTimeout, func(rows pgx.Rows) error { return rows.Scan(&s.lockTimeout) })
	if err := conn.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, fmt.Errorf("read the catalogue of the shadow database: %w", err)
	}
	return s, nil
}

// group is a table with its partitions, if it has any, and what a statement did to it.
type group struct {
	root       relation
	rewritten  bool
	moved      bool // to another tablespace
	reformed   bool // to another access method, or between logged and unlogged
	scanned    bool
	newColumns []column
	retyped    []column // as they are after the statement
	required   []column // that became not null
	added      []constraint
	validated  []constraint
	newIndexes []relation
	rebuilt    []relation
	attached   []relation // partitions, which were tables before
}

// isChanged reports whether the catalogue shows what the statement did.
func (g *group) isChanged() bool {
	return g.rewritten || len(g.newColumns)+len(g.retyped)+len(g.required)+len(g.added)+len(g.validated)+len(g.newIndexes)+len(g.rebuilt)+len(g.attached) > 0
}

// compare returns what a statement did to tables that existed before, by the object identifiers of their roots.
func compare(before, after *snapshot, existed func(oid uint32) bool, inTransaction bool) map[uint32]*group {
	groups := make(map[uint32]*group)
	emptied := make(map[uint32]bool)
	of := func(table uint32) *group {
		r, ok := before.relations[table]
		if !ok || !existed(table) || !r.isTable() {
			return nil
		}
		if groups[r.root] == nil {
			groups[r.root] = &group{root: before.relations[r.root]}
		}
		return groups[r.root]
	}
	for oid, was := range before.relations {
		is, there := after.relations[oid]
		g := of(oid)
		if g == nil || !there {
			continue
		}
		g.moved = g.moved || is.tablespace != was.tablespace
		g.reformed = g.reformed || is.form != was.form
		if is.filenode != was.filenode {
			copied := g.moved || !inTransaction || is.kind == "m" || isCopied(before, after, oid)
			g.rewritten, emptied[oid] = g.rewritten || copied, !copied
		}
		g.scanned = g.scanned || is.scans > was.scans && !emptied[oid]
		if is.partition && !was.partition {
			g.attached = append(g.attached, is)
		}
	}
	for oid, is := range after.relations {
		was, there := before.relations[oid]
		if g := of(is.table); g != nil && is.isIndex() {
			switch {
			case !there:
				g.newIndexes = append(g.newIndexes, is)
			case is.filenode != was.filenode && !emptied[is.table]:
				g.rebuilt = append(g.rebuilt, is)
			}
		}
	}
	for key, is := range after.columns {
		was, there := before.columns[key]
		g := of(key.table)
		if g == nil || key.table != g.root.oid {
			continue
		}
		switch {
		case !there:
			g.newColumns = append(g.newColumns, is)
		case is.kind != was.kind:
			g.retyped = append(g.retyped, is)
		}
		if there && is.notNull && !was.notNull {
			g.required = append(g.required, is)
		}
	}
	for oid, is := range after.constraints {
		was, there := before.constraints[oid]
		g := of(is.table)
		switch {
		case g == nil || !is.valid || strings.Contains("nt", is.kind):
		case !there:
			g.added = append(g.added, is)
		case !was.valid:
			g.validated = append(g.validated, is)
		}
	}
	for _, g := range groups {
		g.sort()
	}
	return groups
}

// sort puts what was changed into the order of the catalogue.
func (g *group) sort() {
	for _, columns := range [][]column{g.newColumns, g.retyped, g.required} {
		slices.SortFunc(columns, func(a, b column) int { return cmp.Compare(a.key.number, b.key.number) })
	}
	for _, constraints := range [][]constraint{g.added, g.validated} {
		slices.SortFunc(constraints, func(a, b constraint) int { return cmp.Compare(a.oid, b.oid) })
	}
	for _, relations := range [][]relation{g.newIndexes, g.rebuilt, g.attached} {
		slices.SortFunc(relations, func(a, b relation) int { return cmp.Compare(a.oid, b.oid) })
	}
}

// isCopied reports whether the rows of a table with a new file were read. Each index that is built reads the new file once,
// also after truncate.
func isCopied(before, after *snapshot, table uint32) bool {
	read := after.relations[table].scans - before.relations[table].scans
	for oid, is := range after.relations {
		if is.table != table {
			continue
		}
		was := before.relations[oid]
		if read += is.scans - was.scans; is.filenode != was.filenode {
			read--
		}
	}
	return read > 0
}
