// Package walarchive copies PostgreSQL's write-ahead log (WAL) to a blob store while the
// server runs, and reads it for a restore to a point in time. The store contains
//
//	archive.json                               the system identifier of the database
//	runs/{run}/run.json                        a run: WAL without a gap
//	runs/{run}/{segment}/{start}-{end}-{time}  a chunk of it, compressed
//	bases/{name}.json                          a backup that the WAL can be applied to
//
// A chunk is a part of one segment, and its name has the positions in the WAL and the time
// up to which all commits are in it or before it, in microseconds since 1970. All names are
// new, so that the store may forbid changes.
//
// A run has a replication slot of the same name. PostgreSQL keeps the WAL that is not
// archived yet for the slot, up to max_slot_wal_keep_size; a lost slot ends the run. A
// restored database has no slot and begins a new run, so runs never mix two histories.
package walarchive

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/server/lazyregexp"
	"plaza/storage/blob"
)

// Errors that an operator can act on. Returned errors may wrap one of these.
var (
	// ErrOtherDatabase means that the archive belongs to another database.
	ErrOtherDatabase = errors.New("the archive is of another database")
	// ErrGap means that WAL is missing.
	ErrGap = errors.New("the archive has a gap")
	// ErrDamaged means that a file of the archive differs from what was written.
	ErrDamaged = errors.New("the archive is damaged")
	// ErrTime means that the archived WAL ends before a time.
	ErrTime = errors.New("the archive does not reach that time")
)

const (
	format     = 1
	archiveKey = "archive.json"
	runsPrefix = "runs/"
	runKey     = "run.json"
	basePrefix = "bases/"
)

// Archive is an archive in a blob store.
type Archive struct{ store blob.Store }

// New returns the archive in a store.
func New(store blob.Store) *Archive { return &Archive{store} }

// owner is the content of archive.json.
type owner struct {
	Format int    `json:"format"`
	System string `json:"system"` // the cluster's system identifier
}

// Run describes WAL without a gap.
type Run struct {
	ID       string    `json:"id"`
	System   string    `json:"system"`
	Timeline uint32    `json:"timeline"`
	Segment  uint64    `json:"segment_bytes"`
	Start    LSN       `json:"start"`
	Began    time.Time `json:"began"`
}

// Base is a backup that WAL of a run can be applied to.
type Base struct {
	Run     string    `json:"run"`
	Start   LSN       `json:"start"`   // the WAL that it needs begins here
	Reached time.Time `json:"reached"` // the earliest time that it can be restored to
	Folder  string    `json:"folder"`
}

// chunk is a stored part of a run.
type chunk struct {
	name       string
	start, end LSN
	covered    time.Time // all commits until then are in this chunk or before it; 1970 if that is not known
}

// segmentName returns PostgreSQL's name of the segment with a position.
func (r Run) segmentName(at LSN) string {
	number, perLog := uint64(at)/r.Segment, uint64(1)<<32/r.Segment
	return fmt.Sprintf("%08X%08X%08X", r.Timeline, number/perLog, number%perLog)
}

// segmentStart returns the position at which the segment with a position starts.
func (r Run) segmentStart(at LSN) LSN { return at - at%LSN(r.Segment) }

func (r Run) prefix() string { return runsPrefix + r.ID + "/" }

func (r Run) chunkName(c chunk) string {
	return fmt.Sprintf("%s%s/%016x-%016x-%d", r.prefix(), r.segmentName(c.start), uint64(c.start), uint64(c.end), max(0, c.covered.UnixMicro()))
}

var chunkPattern = lazyregexp.New(`^[0-9A-F]{24}/([0-9a-f]{16})-([0-9a-f]{16})-([0-9]+)$`)

// parseChunk parses the name of a chunk without the prefix of its run.
func parseChunk(name string) (c chunk, ok bool) {
	fields := chunkPattern().FindStringSubmatch(name)
	if fields == nil {
		return chunk{}, false
	}
	start, err := strconv.ParseUint(fields[1], 16, 64)
	end, err2 := strconv.ParseUint(fields[2], 16, 64)
	covered, err3 := strconv.ParseInt(fields[3], 10, 64)
	return chunk{start: LSN(start), end: LSN(end), covered: time.UnixMicro(covered)}, errors.Join(err, err2, err3) == nil && start < end
}

// claim records the database's system identifier in a new archive. In an existing one it compares them.
//
// Errors: ErrOtherDatabase; ErrDamaged if the archive has another format.
func (a *Archive) claim(ctx context.Context, system string) error {
	var found owner
	err := a.readJSON(ctx, archiveKey, &found)
	if errors.Is(err, blob.ErrNotFound) {
		return a.writeJSON(ctx, archiveKey, owner{format, system})
	}
	if err != nil {
		return err
	}
	if found.Format != format {
		return fmt.Errorf("%w: it has format %d, and this program writes %d", ErrDamaged, found.Format, format)
	}
	if err := sameSystem(found.System, system); err != nil {
		return fmt.Errorf("%w; set PLAZA_ARCHIVE to an empty folder or prefix", err)
	}
	return nil
}

// sameSystem compares the system identifier of a part of the archive with that of a database.
//
// Errors: ErrOtherDatabase.
func sameSystem(archived, system string) error {
	if archived != system {
		return fmt.Errorf("%w: its system identifier is %s, and not %s", ErrOtherDatabase, archived, system)
	}
	return nil
}

// Runs returns all runs, the oldest first.
//
// Errors: ErrDamaged.
func (a *Archive) Runs(ctx context.Context) ([]Run, error) {
	var runs []Run
	names, err := a.list(ctx, runsPrefix)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if path.Base(name) != runKey {
			continue
		}
		var run Run
		if err := a.readJSON(ctx, name, &run); err != nil {
			return nil, err
		}
		if run.prefix()+runKey != name || run.Segment == 0 || run.Segment&(run.Segment-1) != 0 {
			return nil, fmt.Errorf("%w: %s describes another run", ErrDamaged, name)
		}
		runs = append(runs, run)
	}
	slices.SortFunc(runs, func(a, b Run) int { return cmp.Or(a.Began.Compare(b.Began), strings.Compare(a.ID, b.ID)) })
	return runs, nil
}

// run returns a run.
//
// Errors: blob.ErrNotFound; ErrDamaged.
func (a *Archive) run(ctx context.Context, id string) (Run, error) {
	var run Run
	err := a.readJSON(ctx, runsPrefix+id+"/"+runKey, &run)
	if err == nil && (run.ID != id || run.Segment == 0 || run.Segment&(run.Segment-1) != 0) {
		err = fmt.Errorf("%w: %s%s/%s describes another run", ErrDamaged, runsPrefix, id, runKey)
	}
	return run, err
}

// chunks returns the chunks of a run in the order of the WAL.
func (a *Archive) chunks(ctx context.Context, run Run) ([]chunk, error) {
	names, err := a.list(ctx, run.prefix())
	if err != nil {
		return nil, err
	}
	var all []chunk
	for _, name := range names {
		if c, ok := parseChunk(strings.TrimPrefix(name, run.prefix())); ok {
			c.name = name
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b chunk) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	return all, nil
}

// RecordBase records a backup, so that Prune keeps the WAL that it needs.
func (a *Archive) RecordBase(ctx context.Context, b Base) error {
	return a.writeJSON(ctx, fmt.Sprintf("%s%d-%s.json", basePrefix, b.Reached.UnixMilli(), b.Run), b)
}

// bases returns the recorded backups and the names of their files, the oldest first.
func (a *Archive) bases(ctx context.Context) ([]string, []Base, error) {
	names, err := a.list(ctx, basePrefix)
	if err != nil {
		return nil, nil, err
	}
	bases := make([]Base, len(names))
	for i, name := range names {
		if err := a.readJSON(ctx, name, &bases[i]); err != nil {
			return nil, nil, err
		}
	}
	return names, bases, nil
}

// list returns the sorted names with a prefix.
func (a *Archive) list(ctx context.Context, prefix string) ([]string, error) {
	var names []string
	err := a.store.List(ctx, prefix, func(info blob.Info) error { names = append(names, info.Name); return nil })
	slices.Sort(names)
	return names, err
}

func (a *Archive) readJSON(ctx context.Context, name string, to any) error {
	text, err := a.read(ctx, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	return nil
}

func (a *Archive) read(ctx context.Context, name string) ([]byte, error) {
	from, err := a.store.Get(ctx, name, 0, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	defer func() { _ = from.Close() }()
	return io.ReadAll(from)
}

func (a *Archive) writeJSON(ctx context.Context, name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return a.write(ctx, name, append(text, '\n'))
}

func (a *Archive) write(ctx context.Context, name string, content []byte) error {
	_, err := a.store.Put(ctx, name, bytes.NewReader(content), int64(len(content)))
	return err
}

// State describes which restores a run allows.
type State struct {
	Covered time.Time // the latest time that can be restored
	Based   bool      // there is a backup that the run continues
	Gap     bool      // WAL is missing
}

// State returns which restores a run allows.
//
// Errors: blob.ErrNotFound if the archive does not have the run; ErrDamaged.
func (a *Archive) State(ctx context.Context, id string) (State, error) {
	run, err := a.run(ctx, id)
	if err != nil {
		return State{}, err
	}
	chunks, err := a.chunks(ctx, run)
	if err != nil {
		return State{}, err
	}
	found := continuous(chunks, startOf(run, chunks))
	s := State{Covered: found.covered, Gap: found.afterGap != 0}
	_, bases, err := a.bases(ctx)
	for _, b := range bases {
		s.Based = s.Based || b.Run == id
	}
	return s, err
}
