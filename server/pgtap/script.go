package pgtap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/pg/migrate"
)

// script runs files as psql does with --tuples-only --no-align --quiet, as far as tests need it.
type script struct {
	conn      *pgconn.PgConn
	variables map[string]string
	stop      bool              // end at the first error
	line      func(line string) // is given each line of the results
	note      func(text string) // is given what psql writes to standard error
	depth     int               // of files that include each other
}

// maxDepth bounds how deeply files may include each other.
const maxDepth = 20

// maxFile is the maximum size of a file, in bytes.
const maxFile = 64 << 20

var errQuit = errors.New("\\q")

// run runs a file. An error of a statement is noted. It ends the run if stop is set.
func (s *script) run(ctx context.Context, path string) error {
	if s.depth++; s.depth > maxDepth {
		return fmt.Errorf("%s: more than %d files include each other", path, maxDepth)
	}
	defer func() { s.depth-- }()
	if info, err := os.Stat(path); err != nil {
		return err
	} else if info.Size() > maxFile {
		return fmt.Errorf("%s is larger than %d MB", path, maxFile>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for rest := string(text); ; {
		start, end := migrate.NextStatement(rest)
		if start == len(rest) {
			return nil
		}
		number := 1 + strings.Count(string(text[:len(text)-len(rest)+start]), "\n")
		if rest[start] == '\\' {
			line, after, _ := strings.Cut(rest[start:], "\n")
			rest = after
			err = s.command(ctx, path, strings.TrimSpace(line))
		} else {
			err = s.statement(ctx, s.replaceVariables(rest[start:end]))
			rest = rest[end:]
		}
		switch {
		case errors.Is(err, errQuit) && s.depth > 1:
			return nil
		case errors.Is(err, errQuit) || ctx.Err() != nil:
			return err
		case err != nil:
			s.note(fmt.Sprintf("psql:%s:%d: %s", path, number, describe(err)))
			if s.stop {
				return errStopped
			}
		}
	}
}

// errStopped ends a run whose error was noted.
var errStopped = errors.New("a statement failed")

// describe returns an error as psql writes it.
func describe(err error) string {
	var fault *pgconn.PgError
	if !errors.As(err, &fault) {
		return "ERROR:  " + err.Error()
	}
	text := fault.Severity + ":  " + fault.Message
	for _, part := range []struct{ name, value string }{{"DETAIL:  ", fault.Detail}, {"HINT:  ", fault.Hint}, {"CONTEXT:  ", fault.Where}} {
		if part.value != "" {
			text += "\n" + part.name + part.value
		}
	}
	return text
}

// statement runs a statement and passes the rows of its results on, with | between the columns.
func (s *script) statement(ctx context.Context, sql string) error {
	results := s.conn.Exec(ctx, sql)
	for results.NextResult() {
		rows := results.ResultReader()
		for rows.NextRow() {
			values := make([]string, len(rows.Values()))
			for i, value := range rows.Values() {
				values[i] = string(value)
			}
			for line := range strings.SplitSeq(strings.Join(values, "|"), "\n") {
				s.line(line)
			}
		}
		if _, err := rows.Close(); err != nil {
			break // Close returns it, too
		}
	}
	return results.Close()
}

// command runs one of psql's commands.
func (s *script) command(ctx context.Context, path, line string) error {
	words := strings.Fields(line)
	argument := func(i int) string {
		if i < len(words) {
			return strings.Trim(s.replaceVariables(words[i]), "'")
		}
		return ""
	}
	switch words[0] {
	case `\set`:
		s.set(argument(1), strings.Trim(strings.Join(words[min(2, len(words)):], " "), "'"))
	case `\unset`:
		delete(s.variables, argument(1))
	case `\i`, `\include`:
		return s.run(ctx, argument(1))
	case `\ir`, `\include_relative`:
		return s.run(ctx, filepath.Join(filepath.Dir(path), argument(1)))
	case `\echo`, `\qecho`:
		s.line(strings.Trim(s.replaceVariables(strings.Join(words[1:], " ")), "'"))
	case `\warn`:
		s.note(strings.Trim(strings.Join(words[1:], " "), "'"))
	case `\q`, `\quit`:
		return errQuit
	case `\pset`, `\t`, `\a`, `\x`, `\timing`, `\encoding`: // change only how psql displays results
	default:
		return fmt.Errorf("psql's command %s is not supported", words[0])
	}
	return nil
}

// set sets a variable. Of psql's special variables, only ON_ERROR_STOP has an effect.
func (s *script) set(name, value string) {
	s.variables[name] = value
	if name == "ON_ERROR_STOP" {
		s.stop = !strings.EqualFold(value, "off") && !strings.EqualFold(value, "false") && value != "0"
	}
}

// replaceVariables replaces :name, :'name' and :"name" outside of quotes and casts.
func (s *script) replaceVariables(sql string) string {
	if len(s.variables) == 0 || !strings.Contains(sql, ":") {
		return sql
	}
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(sql); i++ {
		c := sql[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '$':
			if end := dollarQuoted(sql[i:]); end > 0 {
				b.WriteString(sql[i : i+end])
				i += end - 1
				continue
			}
		case c == ':' && i+1 < len(sql) && sql[i+1] == ':':
			b.WriteString("::")
			i++
			continue
		case c == ':':
			if name, form, length := variableAt(sql[i+1:]); length > 0 {
				if value, known := s.variables[name]; known {
					b.WriteString(quoteAs(form, value))
					i += length
					continue
				}
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// dollarQuoted returns the length of the dollar-quoted string at the start of a text, or 0.
func dollarQuoted(text string) int {
	end := strings.IndexByte(text[1:], '$')
	if end < 0 || strings.ContainsAny(text[1:1+end], " \t\n'\"(),;:") {
		return 0
	}
	tag := text[:end+2]
	if closing := strings.Index(text[len(tag):], tag); closing >= 0 {
		return 2*len(tag) + closing
	}
	return len(text)
}

// variableAt returns the name of the variable after a colon, the quote around it, and their length.
func variableAt(text string) (name string, form byte, length int) {
	if text != "" && (text[0] == '\'' || text[0] == '"') {
		if end := strings.IndexByte(text[1:], text[0]); end > 0 {
			return text[1 : 1+end], text[0], end + 2
		}
		return "", 0, 0
	}
	for length < len(text) && (text[length] == '_' || '0' <= text[length] && text[length] <= '9' || 'a' <= text[length]|0x20 && text[length]|0x20 <= 'z') {
		length++
	}
	return text[:length], 0, length
}

func quoteAs(form byte, value string) string {
	if form == 0 {
		return value
	}
	quote := string(form)
	return quote + strings.ReplaceAll(value, quote, quote+quote) + quote
}
