package migrate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Backlog is what Up would apply of a source to a database.
type Backlog struct {
	Source     Source
	Versioned  []PendingFile
	Repeatable []PendingFile // applied in one transaction
	IsNew      bool          // the database has no versioned file of the source
	Unknown    []string      // versions that the database has and that have no file here
}

// PendingFile is a file that Up would apply.
type PendingFile struct {
	Path   string
	Alone  bool // Up runs each statement by itself, since PostgreSQL refuses one of them in a transaction
	source Source
	file   file
}

// FindBacklog returns what Up would apply of a source to the database of conn, which is only read. With a
// positive since, the migrations after that version are pending, whatever the database has.
//
// Errors: *ChangedError, as Up.
func FindBacklog(ctx context.Context, conn *pgx.Conn, source Source, since int64) (Backlog, error) {
	b := Backlog{Source: source}
	files, _, err := source.versioned()
	if err != nil {
		return b, err
	}
	states, err := source.compare(ctx, conn, files)
	if err != nil {
		return b, err
	}
	for i, state := range states {
		switch {
		case state.State == Unknown:
			b.Unknown = append(b.Unknown, state.Path)
		case state.State == Changed && source.strict && since == 0:
			return b, &ChangedError{Source: source.Name, Path: state.Path}
		case since > 0 && files[i].version-source.history.offset > since, since == 0 && state.State == Pending:
			b.Versioned = append(b.Versioned, PendingFile{files[i].path, files[i].alone, source, files[i]})
		}
	}
	b.IsNew = source.dir != "" && len(b.Versioned) == len(files)
	return b, b.addRepeatable(ctx, conn)
}

func (b *Backlog) addRepeatable(ctx context.Context, conn *pgx.Conn) error {
	files, err := readDirs(b.Source.fsys, b.Source.repeatable)
	if err != nil {
		return fmt.Errorf("%s: %w", b.Source.Name, err)
	}
	recorded := make(map[string]string)
	exists, err := hasTable(ctx, conn, "plaza.repeatables")
	if err == nil && exists {
		recorded, err = readRecords(ctx, conn, listRepeatables)
	}
	if err != nil {
		return err
	}
	first := 0
	if len(b.Versioned) == 0 {
		first = slices.IndexFunc(files, func(f file) bool { return recorded[f.path] != f.checksum })
	}
	if first < 0 {
		return nil
	}
	for _, f := range files[first:] {
		b.Repeatable = append(b.Repeatable, PendingFile{f.path, false, b.Source, f})
	}
	return nil
}

// Applied returns the source with only the versioned files that the database has. If the source has versioned files, its
// repeatable files are left out, since they may need pending ones.
func (b Backlog) Applied() Source {
	s := b.Source
	s.leftOut = pathsOf(b.Versioned)
	if s.dir != "" {
		s.repeatable, s.reference = nil, nil
	}
	return s
}

// Repeatables returns the source with its repeatable files alone, and without those that are pending.
func (b Backlog) Repeatables() Source {
	s := b.Source.WithoutMigrations()
	s.leftOut = pathsOf(b.Repeatable)
	s.reference, s.vault, s.before = nil, nil, ""
	return s
}

func pathsOf(files []PendingFile) map[string]bool {
	paths := make(map[string]bool, len(files))
	for _, f := range files {
		paths[f.Path] = true
	}
	return paths
}

// Prepare prepares a session for the file as Up does, and returns the text that Up would run, in which each line has the
// number that it has in the file.
func (f PendingFile) Prepare(ctx context.Context, conn *pgx.Conn) (string, error) {
	run, err := orExtension(ctx, conn, f.file)
	if err != nil || !f.source.foreign {
		return run.text, err
	}
	run, _, err = withStandIns(ctx, conn, run)
	return run.text, err
}

// ResetSession undoes what earlier files have set in a session, as Up does before a file of the source.
func (s Source) ResetSession(ctx context.Context, conn *pgx.Conn) error {
	sql := resetRole
	if s.foreign {
		sql = resetSession + "; " + resetRole
	}
	_, err := conn.Exec(ctx, sql)
	return err
}

// Statement is a statement of a file.
type Statement struct {
	Text   string
	Lead   string // the comments before it
	Before string // the file up to it, without Lead
	Line   int    // where it begins, 1 for the first
	Alone  bool   // PostgreSQL refuses it in a transaction
}

// Statements returns the statements of a text.
func Statements(text string) (statements []Statement) {
	for pos := 0; ; {
		start, end := NextStatement(text[pos:])
		if start == end {
			return statements
		}
		one := Statement{Text: strings.TrimRight(text[pos+start:pos+end], "; \t\r\n"), Lead: text[pos : pos+start], Before: text[:pos]}
		one.Line = 1 + strings.Count(text[:pos+start], "\n")
		one.Alone = needsNoTransaction(one.Text)
		statements = append(statements, one)
		pos += end
	}
}
