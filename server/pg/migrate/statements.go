package migrate

import (
	"slices"
	"strings"
)

// scanner splits SQL text into statements. It knows PostgreSQL's lexical rules as far
// as they decide where a statement ends. It is for the lines of errors, and for finding
// statements that need a change, such as those that create an extension.
type scanner struct {
	text string
	pos  int

	parens int
	blocks int      // depth of begin atomic … end in a function's body
	words  []string // the statement's first words, in lower case
}

// maxWords is how many of a statement's first words are kept: enough for "create or
// replace function".
const maxWords = 4

// statementStart returns the offset of the statement with the given index, counted
// from 0, or -1 when there are fewer.
func statementStart(text string, index int) int {
	s := &scanner{text: text}
	for ; index > 0; index-- {
		if s.skipBlank() {
			return -1
		}
		s.skipStatement()
	}
	if s.skipBlank() {
		return -1
	}
	return s.pos
}

// needsNoTransaction reports whether a text has a statement that PostgreSQL refuses in a transaction.
func needsNoTransaction(text string) bool {
	for s := (&scanner{text: text}); !s.skipBlank(); {
		s.skipStatement()
		if len(s.words) > 0 && isRefusedInTransaction(s.words) {
			return true
		}
	}
	return false
}

// Source: callers of PreventInTransactionBlock in PostgreSQL.
func isRefusedInTransaction(words []string) bool {
	first, second := words[0], ""
	if len(words) > 1 {
		second = words[1]
	}
	switch first {
	case "vacuum":
		return true
	case "alter":
		return second == "system"
	case "create", "drop", "reindex":
		return slices.Contains(words, "concurrently") || slices.Contains([]string{"database", "tablespace", "subscription"}, second)
	}
	return false
}

// skipBlank moves to the next statement: over space, comments and semicolons
// with nothing before them. It reports whether there is none.
func (s *scanner) skipBlank() (end bool) {
	for s.pos < len(s.text) {
		switch {
		case isSpace(s.text[s.pos]) || s.text[s.pos] == ';':
			s.pos++
		case !s.skipComment():
			return false
		}
	}
	return true
}

// skipStatement moves past the statement's semicolon.
func (s *scanner) skipStatement() {
	s.parens, s.blocks, s.words = 0, 0, nil
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case s.skipComment():
		case c == '\'':
			s.skipQuoted('\'', false)
		case c == '"':
			s.skipQuoted('"', false)
		case c == '$':
			s.skipDollar()
		case isLetter(c):
			s.skipWord()
		case c == '(' || c == '[':
			s.parens++
			s.pos++
		case c == ')' || c == ']':
			s.parens--
			s.pos++
		case c == ';' && s.parens <= 0 && s.blocks == 0:
			s.pos++
			return
		case '0' <= c && c <= '9':
			s.skipWhile(isWordByte) // so that 1e5 holds no word
		default:
			s.pos++
		}
	}
}

// skipComment moves over a comment that begins here. Block comments nest.
func (s *scanner) skipComment() bool {
	rest := s.text[s.pos:]
	if strings.HasPrefix(rest, "--") {
		line, _, _ := strings.Cut(rest, "\n")
		s.pos += len(line)
		return true
	}
	if !strings.HasPrefix(rest, "/*") {
		return false
	}
	depth := 0
	for s.pos < len(s.text) {
		switch rest := s.text[s.pos:]; {
		case strings.HasPrefix(rest, "/*"):
			depth++
			s.pos += 2
		case strings.HasPrefix(rest, "*/"):
			depth--
			s.pos += 2
		default:
			s.pos++
		}
		if depth == 0 {
			break
		}
	}
	return true
}

// skipQuoted moves over a string or a quoted name. A doubled quote needs no
// care: it ends one and begins the next.
func (s *scanner) skipQuoted(quote byte, escapes bool) {
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch {
		case escapes && s.text[s.pos] == '\\':
			s.pos++
		case s.text[s.pos] == quote:
			s.pos++
			return
		}
	}
	s.pos = min(s.pos, len(s.text))
}

// skipDollar moves over a dollar-quoted string, or over the sign of a parameter.
func (s *scanner) skipDollar() {
	end := s.pos + 1
	for end < len(s.text) && isWordByte(s.text[end]) && s.text[end] != '$' {
		end++
	}
	isTag := end == s.pos+1 || isLetter(s.text[s.pos+1])
	if end == len(s.text) || s.text[end] != '$' || !isTag {
		s.pos++
		return
	}
	tag := s.text[s.pos : end+1]
	body := s.text[end+1:]
	inner, _, closed := strings.Cut(body, tag)
	if !closed {
		s.pos = len(s.text)
		return
	}
	s.pos = end + 1 + len(inner) + len(tag)
}

// skipWord moves over a word and notes what it means for the statement's end.
func (s *scanner) skipWord() {
	start := s.pos
	s.skipWhile(isWordByte)
	word := strings.ToLower(s.text[start:s.pos])
	if word == "e" && s.pos < len(s.text) && s.text[s.pos] == '\'' {
		s.skipQuoted('\'', true)
		return
	}
	if len(s.words) < maxWords {
		s.words = append(s.words, word)
	}
	switch {
	case !s.makesRoutine():
	case word == "begin":
		s.blocks++
	case word == "case" && s.blocks > 0:
		s.blocks++
	case word == "end" && s.blocks > 0:
		s.blocks--
	}
}

// makesRoutine reports whether the statement's first words create a function or a
// procedure, the only statements with semicolons of their own.
func (s *scanner) makesRoutine() bool {
	words := s.words
	if len(words) == 0 || words[0] != "create" {
		return false
	}
	words = words[1:]
	if len(words) > 1 && words[0] == "or" && words[1] == "replace" {
		words = words[2:]
	}
	return len(words) > 0 && (words[0] == "function" || words[0] == "procedure")
}

func (s *scanner) skipWhile(in func(byte) bool) {
	for s.pos < len(s.text) && in(s.text[s.pos]) {
		s.pos++
	}
}

func isSpace(c byte) bool { return strings.IndexByte(" \t\r\n\f\v", c) >= 0 }

// isLetter takes every byte of a character outside ASCII for a letter, as
// PostgreSQL does.
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

func isWordByte(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '$' }

// NextStatement returns where the next statement of a text begins, after space and comments, and where
// it ends, after its semicolon. At the end of the text, both are its length.
func NextStatement(text string) (start, end int) {
	s := &scanner{text: text}
	s.skipBlank()
	start = s.pos
	s.skipStatement()
	return start, s.pos
}
