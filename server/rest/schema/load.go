package schema

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Querier runs queries. It is implemented by pools, connections and transactions.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Beginner begins transactions. It is implemented by pools and connections.
type Beginner interface {
	BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error)
}

// Read loads the exposed schemas in one transaction, so that the snapshot is
// consistent. It first sleeps for the duration sleep, which is for tests.
func Read(ctx context.Context, db Beginner, exposed []string, sleep time.Duration) (*Snapshot, error) {
	tx, err := db.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	// With an empty search path, format_type prints types with their schema. Such names
	// are valid whatever search path a request has.
	if _, err := tx.Exec(ctx, "set local search_path = ''"); err != nil {
		return nil, err
	}
	if sleep > 0 {
		if _, err := tx.Exec(ctx, "select pg_catalog.pg_sleep($1)", sleep.Seconds()); err != nil {
			return nil, err
		}
	}
	return Load(ctx, tx, exposed)
}

// Load loads the exposed schemas. The snapshot is consistent only in a repeatable read transaction.
func Load(ctx context.Context, db Querier, exposed []string) (*Snapshot, error) {
	s := &Snapshot{
		tables:        make(map[Name]*Table),
		relationships: make(map[Name][]*Relationship),
		functions:     make(map[Name][]*Function),
		rowFields:     make(map[rowField]struct{}),
	}
	steps := []struct {
		what string
		run  func(context.Context, Querier, []string) error
	}{
		{"tables", s.loadTables}, {"columns", s.loadColumns}, {"data representations", s.loadRepresentations}, {"functions", s.loadFunctions}, {"relationships", s.loadRelationships},
		{"computed columns", s.loadRowFunctions}, {"media handlers", s.loadHandlers},
	}
	for _, step := range steps {
		if err := step.run(ctx, db, exposed); err != nil {
			return nil, fmt.Errorf("read %s of the schema: %w", step.what, err)
		}
	}
	s.findJunctions()
	for _, relationships := range s.relationships {
		slices.SortStableFunc(relationships, func(a, b *Relationship) int {
			return cmp.Or(strings.Compare(a.To.Schema, b.To.Schema), strings.Compare(a.To.Name, b.To.Name), ranks[a.Cardinality]-ranks[b.Cardinality])
		})
	}
	for _, f := range s.relating {
		s.addComputed(f)
	}
	return s, nil
}

func (s *Snapshot) loadTables(ctx context.Context, db Querier, exposed []string) error {
	rows, err := db.Query(ctx, tablesSQL, exposed)
	if err != nil {
		return err
	}
	var t Table
	_, err = pgx.ForEachRow(rows, []any{&t.Name.Schema, &t.Name.Name, &t.Comment, &t.IsView, &t.changes, &t.PrimaryKey}, func() error {
		table := t
		table.PrimaryKey = slices.Clone(t.PrimaryKey)
		table.byName = make(map[string]*Column)
		s.tables[table.Name] = &table
		return nil
	})
	return err
}

func (s *Snapshot) loadColumns(ctx context.Context, db Querier, exposed []string) error {
	rows, err := db.Query(ctx, columnsSQL, exposed)
	if err != nil {
		return err
	}
	var name Name
	var c Column
	fields := []any{
		&name.Schema, &name.Name, &c.Name, &c.Type, &c.InputType, &c.BaseType, &c.MaxLength, &c.Comment, &c.Default,
		&c.Nullable, &c.Generated, &c.HasDefault, &c.Enum,
	}
	_, err = pgx.ForEachRow(rows, fields, func() error {
		table, ok := s.tables[name]
		if !ok {
			return nil // created between the two queries, which only Read runs on one snapshot
		}
		column := c
		column.Enum = slices.Clone(c.Enum)
		table.Columns = append(table.Columns, &column)
		table.byName[column.Name] = &column
		return nil
	})
	return err
}

// loadRepresentations loads the custom conversions of domains: implicit casts to json,
// from json and from text.
func (s *Snapshot) loadRepresentations(ctx context.Context, db Querier, _ []string) error {
	rows, err := db.Query(ctx, representationsSQL)
	if err != nil {
		return err
	}
	type cast struct{ source, target string }
	casts := make(map[cast]Name)
	var found cast
	var function Name
	_, err = pgx.ForEachRow(rows, []any{&found.source, &found.target, &function.Schema, &function.Name}, func() error {
		casts[found] = function
		return nil
	})
	if err != nil || len(casts) == 0 {
		return err
	}
	for _, table := range s.tables {
		for _, c := range table.Columns {
			c.ToJSON, c.FromJSON, c.FromText = casts[cast{c.Type, "json"}], casts[cast{"json", c.Type}], casts[cast{"text", c.Type}]
			table.hasToJSON = table.hasToJSON || c.ToJSON != Name{}
		}
	}
	return nil
}

// findJunctions adds the many-to-many relationships. A table is a junction if it has
// two foreign keys whose columns are all part of its primary key.
func (s *Snapshot) findJunctions() {
	type link struct{ out, in *Relationship }
	var links []link
	for name, table := range s.tables {
		var keys []*Relationship
		for _, r := range s.relationships[name] {
			if (r.Cardinality == ManyToOne || r.Cardinality == OneToOne && !r.Parent) && inKey(table, r) {
				keys = append(keys, r)
			}
		}
		for _, a := range keys {
			for _, b := range keys {
				if a != b {
					links = append(links, link{a, b})
				}
			}
		}
	}
	slices.SortFunc(links, func(a, b link) int {
		return slices.Compare([]string{a.out.From.Name, a.out.Constraint, a.in.Constraint}, []string{b.out.From.Name, b.out.Constraint, b.in.Constraint})
	})
	for _, l := range links {
		junction := &Junction{Table: l.out.From, FromConstraint: l.out.Constraint, ToConstraint: l.in.Constraint}
		for _, pair := range l.out.Columns {
			junction.FromColumns = append(junction.FromColumns, Pair{pair.To, pair.From})
		}
		for _, pair := range l.in.Columns {
			junction.ToColumns = append(junction.ToColumns, Pair{pair.To, pair.From})
		}
		s.relationships[l.out.To] = append(s.relationships[l.out.To], &Relationship{
			From: l.out.To, To: l.in.To, Cardinality: ManyToMany, Junction: junction,
		})
	}
}

func inKey(table *Table, r *Relationship) bool {
	for _, pair := range r.Columns {
		if !slices.Contains(table.PrimaryKey, pair.From) {
			return false
		}
	}
	return len(r.Columns) > 0
}

// addComputed adds a computed relationship for a function whose argument is a row of a
// table.
func (s *Snapshot) addComputed(f *Function) {
	for _, from := range []Name{{f.Name.Schema, f.Arguments[0].Type}, splitType(f.Arguments[0].Type)} {
		if _, ok := s.tables[from]; ok {
			cardinality := OneToMany
			if !f.ReturnsMany() {
				cardinality = ManyToOne
			}
			s.relationships[from] = append(s.relationships[from], &Relationship{From: from, To: *f.Table, Cardinality: cardinality, Function: f})
			return
		}
	}
}

// ranks determines the order of the candidates of an ambiguous embed.
// Source: the derived order of PostgREST's Cardinality.
var ranks = map[Cardinality]int{OneToMany: 0, ManyToOne: 1, OneToOne: 2, ManyToMany: 3}
