package migrate

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3/database"
)

// record is one row of a history table.
type record struct {
	version  int64
	written  string // the version as it was written
	checksum *string
	text     *string
}

// records lists what was applied, latest version first.
func (h history) records(ctx context.Context, conn *pgx.Conn) ([]record, error) {
	rows, err := conn.Query(ctx, h.list)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", h.table, err)
	}
	records, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r record, err error) {
		err = row.Scan(&r.version, &r.written, &r.checksum, &r.text)
		return r, err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", h.table, err)
	}
	return records, nil
}

// store lets goose read and write a history table. It uses the session's one
// connection, which is also that of the handles goose passes in. Version 0,
// which goose expects of every table, is never stored. What goose calls a version
// is a file's order; it does not learn of records without a file.
type store struct {
	conn    *pgx.Conn
	history history
	files   map[int64]file  // by order
	orders  map[int64]int64 // by version
}

func newStore(conn *pgx.Conn, h history, files map[int64]file) *store {
	s := &store{conn, h, files, make(map[int64]int64, len(files))}
	for order, f := range files {
		s.orders[f.version] = order
	}
	return s
}

var _ database.StoreExtender = (*store)(nil)

func (s *store) Tablename() string { return s.history.table }

// TableExists is true: Up makes the table before it calls goose.
func (s *store) TableExists(context.Context, database.DBTxConn) (bool, error) { return true, nil }

// CreateVersionTable is never called, see TableExists.
func (s *store) CreateVersionTable(context.Context, database.DBTxConn) error {
	return database.ErrNotImplemented
}

// Delete is never called: migrations go forward only.
func (s *store) Delete(context.Context, database.DBTxConn, int64) error {
	return database.ErrNotImplemented
}

func (s *store) Insert(ctx context.Context, _ database.DBTxConn, req database.InsertRequest) error {
	_, err := s.conn.Exec(ctx, s.history.insert, s.history.values(s.files[req.Version])...)
	return err
}

func (s *store) GetMigration(ctx context.Context, _ database.DBTxConn, order int64) (*database.GetMigrationResult, error) {
	applied, err := s.applied(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(applied, order) {
		return nil, database.ErrVersionNotFound
	}
	return &database.GetMigrationResult{IsApplied: true}, nil
}

func (s *store) GetLatestVersion(ctx context.Context, _ database.DBTxConn) (int64, error) {
	applied, err := s.applied(ctx)
	return slices.Max(append(applied, 0)), err
}

func (s *store) ListMigrations(ctx context.Context, _ database.DBTxConn) ([]*database.ListMigrationsResult, error) {
	applied, err := s.applied(ctx)
	if err != nil {
		return nil, err
	}
	slices.Sort(applied)
	list := make([]*database.ListMigrationsResult, 0, len(applied)+1)
	for _, order := range slices.Backward(applied) {
		list = append(list, &database.ListMigrationsResult{Version: order, IsApplied: true})
	}
	return append(list, &database.ListMigrationsResult{Version: 0, IsApplied: true}), nil
}

// applied returns the orders of the files that were applied.
func (s *store) applied(ctx context.Context) ([]int64, error) {
	records, err := s.history.records(ctx, s.conn)
	if err != nil {
		return nil, err
	}
	applied := make([]int64, 0, len(records))
	for _, r := range records {
		if order, ok := s.orders[r.version]; ok {
			applied = append(applied, order)
		}
	}
	return applied, nil
}
