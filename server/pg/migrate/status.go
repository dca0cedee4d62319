package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// State is how a file stands to a database.
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
	Source    string
	Path      string // the version for Unknown migrations
	State     State
	AppliedAt time.Time // zero when not applied or not recorded
}

// Status compares the sources with the database at url. It changes nothing.
func Status(ctx context.Context, url string, sources []Source) (_ []FileState, err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	var all []FileState
	for _, source := range sources {
		files, _, err := source.versioned()
		if err != nil {
			return nil, err
		}
		states, err := source.compare(ctx, conn, files)
		if err != nil {
			return nil, err
		}
		repeatable, err := source.compareRepeatable(ctx, conn)
		if err != nil {
			return nil, err
		}
		all = append(append(all, states...), repeatable...)
	}
	return all, nil
}

// compare tells the state of each versioned file, and of each record without
// one.
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
		state := FileState{Source: s.Name, Path: f.path, State: Pending}
		if applied {
			state.State = r.stateOf(f)
		}
		if r.appliedAt != nil {
			state.AppliedAt = *r.appliedAt
		}
		states = append(states, state)
	}
	for _, r := range list {
		if _, left := records[r.version]; left {
			states = append(states, FileState{Source: s.Name, Path: r.written, State: Unknown})
		}
	}
	return states, nil
}

// stateOf compares an applied file with its record, by what the table keeps.
func (r record) stateOf(f file) State {
	if r.checksum != nil && *r.checksum != f.checksum || r.text != nil && *r.text != f.text {
		return Changed
	}
	return Current
}

func (s Source) compareRepeatable(ctx context.Context, conn *pgx.Conn) ([]FileState, error) {
	dirs := append(append([]string{}, s.repeatable...), s.reference...)
	files, err := readDirs(s.fsys, dirs)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	recorded := map[string]string{}
	exists, err := hasTable(ctx, conn, "plaza.repeatables")
	if err != nil {
		return nil, err
	}
	if exists {
		recorded, err = readRecords(ctx, conn, listRepeatables)
		if err != nil {
			return nil, err
		}
	}
	var states []FileState
	for _, f := range files {
		state := Current
		if recorded[f.path] != f.checksum {
			state = Pending
		}
		states = append(states, FileState{Source: s.Name, Path: f.path, State: state})
	}
	return states, nil
}

func hasTable(ctx context.Context, conn *pgx.Conn, name string) (exists bool, err error) {
	err = conn.QueryRow(ctx, tableExists, name).Scan(&exists)
	return exists, err
}
