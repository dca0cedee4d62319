package migrate

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
)

// FileError is a file that PostgreSQL refused. It unwraps to the
// *pgconn.PgError, whose Code is the SQLSTATE.
type FileError struct {
	Path string
	Line int // 1 for the first; 0 when PostgreSQL names no place
	Err  error
}

// Error is "path:line: message (SQLSTATE code)" and what else helps to find
// the fault.
func (e *FileError) Error() string {
	place := e.Path
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", e.Path, e.Line)
	}
	var fault *pgconn.PgError
	if !errors.As(e.Err, &fault) {
		return fmt.Sprintf("%s: %v", place, e.Err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (SQLSTATE %s)", place, fault.Message, fault.Code)
	hint := fault.Hint
	if unavailable().MatchString(fault.Message) {
		hint = "this PostgreSQL does not bring it: set DATABASE_URL to one that does, or take the statement out"
	}
	for _, more := range []struct{ label, text string }{
		{"detail", fault.Detail}, {"hint", hint}, {"in", fault.Where},
	} {
		if more.text != "" {
			fmt.Fprintf(&b, "; %s: %s", more.label, strings.ReplaceAll(more.text, "\n", ", "))
		}
	}
	return b.String()
}

func (e *FileError) Unwrap() error { return e.Err }

// ChangedError is a migration that was edited after it was applied, so that the
// database may differ from it.
type ChangedError struct{ Source, Path string }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s: %s was changed after it was applied; restore it and put the change into a new migration", e.Source, e.Path)
}

// NewerError is a database that a newer release has migrated. This release would replace SQL functions that the newer
// one needs by its own.
type NewerError struct{ Source, Version string }

func (e *NewerError) Error() string {
	return fmt.Sprintf("a newer release has migrated the database: this one has no version %s of the %s. Start that release, or set PLAZA_SERVE_NEWER_DATABASE=true to serve the database as it is", e.Version, e.Source)
}

// partError adds file and line to an error of running the part of f that begins at start. done is how many
// of its statements had succeeded.
func partError(f file, start, done int, err error) error {
	failed := &FileError{Path: f.path, Err: err}
	var fault *pgconn.PgError
	if errors.As(err, &fault) {
		if failed.Line = lineOf(f.text[start:], done, fault); failed.Line > 0 {
			failed.Line += strings.Count(f.text[:start], "\n")
		}
	}
	return failed
}

// statementError is partError for an error of one statement of f, the one with the given index.
func statementError(f file, index int, err error) error {
	return partError(f, max(statementStart(f.text, index), 0), 0, err)
}

// lineOf finds the line of a fault: by PostgreSQL's position in the text; for
// a fault inside a function or a block by the inner statement, if the file
// contains it exactly once; otherwise by the statement that failed.
func lineOf(text string, done int, fault *pgconn.PgError) int {
	if fault.Position > 0 {
		return lineAt(text, int(fault.Position))
	}
	if inner := fault.InternalQuery; inner != "" && strings.Count(text, inner) == 1 {
		position := max(int(fault.InternalPosition), 1)
		return strings.Count(text[:strings.Index(text, inner)], "\n") + lineAt(inner, position)
	}
	start := statementStart(text, done)
	if start < 0 {
		return 0
	}
	return strings.Count(text[:start], "\n") + 1
}

// lineAt returns the line of a character position, both counted from 1.
func lineAt(text string, position int) int {
	line := 1
	for range position - 1 {
		r, size := utf8.DecodeRuneInString(text)
		if size == 0 {
			break
		}
		if r == '\n' {
			line++
		}
		text = text[size:]
	}
	return line
}
