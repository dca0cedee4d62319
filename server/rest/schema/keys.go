package schema

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// loadRelationships loads the relationships between tables by foreign keys, and those
// of views that contain all columns of a key.
func (s *Snapshot) loadRelationships(ctx context.Context, db Querier, _ []string) error {
	views, err := loadViews(ctx, db)
	if err != nil {
		return err
	}
	if err := s.loadViewKeys(ctx, db, views); err != nil {
		return err
	}
	rows, err := db.Query(ctx, foreignKeysSQL)
	if err != nil {
		return err
	}
	var k foreignKey
	fields := []any{
		&k.constraint, &k.from.oid, &k.from.name.Schema, &k.from.name.Name, &k.to.oid, &k.to.name.Schema, &k.to.name.Name,
		&k.from.attnums, &k.to.attnums, &k.from.columns, &k.to.columns, &k.unique,
	}
	_, err = pgx.ForEachRow(rows, fields, func() error {
		for _, from := range s.appearances(k.from, views) {
			for _, to := range s.appearances(k.to, views) {
				s.relate(k, from, to)
			}
		}
		return nil
	})
	return err
}

type foreignKey struct {
	constraint string
	from, to   keySide
	unique     bool
}

// keySide holds the columns of one side of a foreign key.
type keySide struct {
	oid     uint32
	name    Name
	attnums []int
	columns []string
}

// appearance is a table or view that contains the columns of one side of a key.
type appearance struct {
	name    Name
	columns []string
	isView  bool
}

// appearances lists the tables and views in the exposed schemas that contain the
// columns of one side of a key.
func (s *Snapshot) appearances(side keySide, views map[uint32][]lineage) []appearance {
	var found []appearance
	if _, ok := s.tables[side.name]; ok {
		found = append(found, appearance{side.name, side.columns, false})
	}
	for _, l := range views[side.oid] {
		if _, ok := s.tables[l.view]; !ok {
			continue
		}
		for _, columns := range l.names(side.attnums) {
			found = append(found, appearance{l.view, columns, true})
		}
	}
	return found
}

// names returns the view's names of the given columns. If the view contains a column
// several times, it returns all combinations; if one is missing, it returns none.
func (l lineage) names(attnums []int) [][]string {
	combinations := [][]string{nil}
	for _, attnum := range attnums {
		var longer [][]string
		for _, names := range combinations {
			for _, name := range l.columns[attnum] {
				longer = append(longer, append(names[:len(names):len(names)], name))
			}
		}
		combinations = longer
	}
	return combinations
}

// relate adds the relationships for both directions of a foreign key.
func (s *Snapshot) relate(k foreignKey, from, to appearance) {
	self := from.name == to.name
	forth := &Relationship{From: from.name, To: to.name, Cardinality: ManyToOne, Constraint: k.constraint, Self: self, ToView: to.isView}
	back := &Relationship{From: to.name, To: from.name, Cardinality: OneToMany, Constraint: k.constraint, Self: self, ToView: from.isView}
	for i := range from.columns {
		forth.Columns = append(forth.Columns, Pair{from.columns[i], to.columns[i]})
		back.Columns = append(back.Columns, Pair{to.columns[i], from.columns[i]})
	}
	if k.unique {
		forth.Cardinality, back.Cardinality, back.Parent = OneToOne, OneToOne, true
	}
	s.relationships[from.name] = append(s.relationships[from.name], forth)
	s.relationships[to.name] = append(s.relationships[to.name], back)
}

// loadViewKeys sets the primary keys of views: the primary keys of all tables whose
// key columns the view contains. Together they identify the view's rows.
func (s *Snapshot) loadViewKeys(ctx context.Context, db Querier, views map[uint32][]lineage) error {
	rows, err := db.Query(ctx, primaryKeysSQL)
	if err != nil {
		return err
	}
	var table uint32
	var attnums []int
	_, err = pgx.ForEachRow(rows, []any{&table, &attnums}, func() error {
		for _, l := range views[table] {
			view, ok := s.tables[l.view]
			if names := l.names(attnums); ok && len(names) > 0 {
				view.PrimaryKey = append(view.PrimaryKey, names[0]...)
			}
		}
		return nil
	})
	return err
}
