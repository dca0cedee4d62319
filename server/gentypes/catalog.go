package gentypes

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"plaza/server/rest/schema"
)

// catalog is what the types are generated from.
type catalog struct {
	schemas    []string // that exist, of those that were asked for
	relations  []*relation
	functions  []*function
	types      map[uint32]*dataType // of all schemas
	keys       []*foreignKey
	views      schema.Views
	byOID      map[uint32]*relation
	byRelation map[uint32]*dataType // row types by pg_class.oid
}

// relation is a table, view, materialized view, foreign table or partitioned table.
type relation struct {
	OID                 uint32
	Schema, Name        string
	IsView              bool // or a materialized view
	Insertable, Updates bool
	Columns             []*column `db:"-"` // in order of attnum
}

func (r *relation) column(attnum int) (*column, bool) {
	for _, c := range r.Columns {
		if c.Attnum == attnum {
			return c, true
		}
	}
	return nil, false
}

type column struct {
	Relation   uint32
	Attnum     int
	Name       string
	Type       uint32
	NotNull    bool // without regard to a domain
	HasDefault bool
	ReadOnly   bool // generated, or an identity that is always generated
	Writable   bool // of a view
}

// dataType is a row of pg_type.
type dataType struct {
	OID          uint32
	Schema, Name string
	Text         string   // row types: as format_type prints it
	Element      uint32   // 0 if it is no array
	Base         uint32   // 0 if it is no domain
	Relation     uint32   // pg_class.oid of a composite type or a row type; otherwise 0
	Labels       []string // of an enum
	NotNull      bool     // of a domain
	HasDefault   bool     // of a domain
	CastsToJSON  bool
	Attributes   []attribute `db:"-"` // of a composite type that is no row type
}

type attribute struct {
	Relation uint32
	Name     string
	Type     uint32
}

// function is a row of pg_proc.
type function struct {
	OID                           uint32
	Schema, Name                  string
	Result                        uint32
	ReturnsSet                    bool
	Rows                          float64
	Inputs, Defaults              int
	Names, Modes                  []string // may be empty; parallel to Types
	Types                         []uint32
	Arguments, Identity, Returned string     // as PostgreSQL prints them
	arguments                     []argument // in order of their names
}

type argument struct {
	name       string
	mode       string // i, o, b, v or t, as in pg_proc
	typ        uint32
	hasDefault bool
	column     int // of the result, from 1; 0 if it is no output
}

func (a argument) isInput() bool  { return a.mode == "i" || a.mode == "b" || a.mode == "v" }
func (a argument) isOutput() bool { return a.mode == "o" || a.mode == "b" || a.mode == "t" }

// foreignKey is a foreign key of a table of the given schemas.
type foreignKey struct {
	Name              string
	From, To          uint32
	Columns, Refs     []int
	Unique            bool // a primary key or unique constraint has the same columns
	UniqueInSameOrder bool // as Unique, if Columns are in order of attnum
}

func load(ctx context.Context, conn *pgx.Conn, o Options) (*catalog, error) {
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	c := &catalog{
		types: make(map[uint32]*dataType), views: make(schema.Views),
		byOID: make(map[uint32]*relation), byRelation: make(map[uint32]*dataType),
	}
	rows, err := tx.Query(ctx, schemasSQL, notNil(o.Schemas), notNil(o.Excluded))
	if err == nil {
		c.schemas, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return nil, fmt.Errorf("read the schemas: %w", err)
	}
	steps := []struct {
		what string
		run  func(context.Context, pgx.Tx) error
	}{
		{"tables", c.loadRelations}, {"types", c.loadTypes}, {"functions", c.loadFunctions}, {"foreign keys", c.loadKeys}, {"views", c.loadViews},
	}
	for _, step := range steps {
		if err := step.run(ctx, tx); err != nil {
			return nil, fmt.Errorf("read the %s: %w", step.what, err)
		}
	}
	return c, nil
}

// notNil makes PostgreSQL see an empty array in place of null.
func notNil(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

func collect[T any](ctx context.Context, tx pgx.Tx, sql string, args ...any) ([]*T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[T])
}

func (c *catalog) loadRelations(ctx context.Context, tx pgx.Tx) (err error) {
	if c.relations, err = collect[relation](ctx, tx, relationsSQL, c.schemas); err != nil {
		return err
	}
	for _, r := range c.relations {
		c.byOID[r.OID] = r
	}
	columns, err := collect[column](ctx, tx, columnsSQL, c.schemas)
	for _, column := range columns {
		if r, ok := c.byOID[column.Relation]; ok {
			r.Columns = append(r.Columns, column)
		}
	}
	return err
}

func (c *catalog) loadTypes(ctx context.Context, tx pgx.Tx) error {
	types, err := collect[dataType](ctx, tx, typesSQL)
	if err != nil {
		return err
	}
	for _, t := range types {
		c.types[t.OID] = t
		if t.Relation != 0 {
			c.byRelation[t.Relation] = t
		}
	}
	attributes, err := collect[attribute](ctx, tx, attributesSQL)
	for _, a := range attributes {
		if t, ok := c.byRelation[a.Relation]; ok {
			t.Attributes = append(t.Attributes, *a)
		}
	}
	return err
}

func (c *catalog) loadFunctions(ctx context.Context, tx pgx.Tx) (err error) {
	c.functions, err = collect[function](ctx, tx, functionsSQL, c.schemas)
	return err
}

func (c *catalog) loadKeys(ctx context.Context, tx pgx.Tx) (err error) {
	c.keys, err = collect[foreignKey](ctx, tx, keysSQL, c.schemas)
	return err
}

func (c *catalog) loadViews(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, viewsSQL, c.schemas)
	if err != nil {
		return err
	}
	var oid uint32
	var tree string
	_, err = pgx.ForEachRow(rows, []any{&oid, &tree}, func() error {
		c.views[oid] = schema.ViewColumns(tree)
		return nil
	})
	return err
}
