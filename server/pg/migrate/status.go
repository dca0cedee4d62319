package migrate

import (
	"context"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"
)

// State is whether a database has a file.
type State string

// States of a file.
const (
	Current State = "applied"
	Pending State = "pending"
	Changed State = "changed" // applied, and edited since
	Unknown State = "unknown" // applied, and there is no such file
)

// FileState is the state of one file.
type FileState struct {
	Path  string // the version for Unknown migrations
	State State
}

// compare returns the state of each versioned file, and of each record that has
// no file.
func (s Source) compare(ctx context.Context, conn *pgx.Conn, files []file) ([]FileState, error) {
	records := make(map[int64]record)
	exists, err := hasTable(ctx, conn, s.history.table)
	if err != nil {
		return nil, err
	}
	var list []record
	if exists {
		list, err = s.history.records(ctx, conn)
		if err != nil {
			return nil, err
		}
	}
	for _, r := range list {
		records[r.version] = r
	}
	var states []FileState
	for _, f := range files {
		r, applied := records[f.version]
		delete(records, f.version)
		state := FileState{Path: f.path, State: Pending}
		if applied {
			state.State = r.stateOf(f)
		}
		states = append(states, state)
	}
	for _, r := range list {
		if _, left := records[r.version]; left {
			states = append(states, FileState{Path: r.written, State: Unknown})
		}
	}
	return states, nil
}

// stateOf compares an applied file with its record: by checksum or text, whichever the table has.
func (r record) stateOf(f file) State {
	if r.checksum != nil && *r.checksum != f.checksum || r.text != nil && bare(*r.text) != bare(f.text) {
		return Changed
	}
	return Current
}

// bare returns a text without white space and semicolons: the Supabase CLI stores a file's statements
// without those between them.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if r == ';' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

func hasTable(ctx context.Context, conn *pgx.Conn, name string) (exists bool, err error) {
	err = conn.QueryRow(ctx, tableExists, name).Scan(&exists)
	return exists, err
}
