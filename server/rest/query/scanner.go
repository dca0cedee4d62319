package query

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/server/apierr"
)

// Limits that bound the cost of malicious requests.
const (
	maxDepth = 50 // nested embeds or logic groups
	maxItems = 2000
)

// scanner reads one parameter's value. Its methods fail by panicking with a
// *syntaxError, which parse turns into an error: a grammar of this kind reads badly
// with an error check after every character.
type scanner struct {
	what  string // name for error messages, such as "select parameter"
	text  string
	skip  int // added to the column in error messages
	pos   int
	depth int
	items int
}

type syntaxError struct {
	scanner  *scanner
	expected string
}

// parse applies a grammar to text. The grammar must consume the complete text.
//
// Errors: 400 PGRST100, with upstream's message and the column.
func parse[T any](what, text string, grammar func(*scanner) T) (result T, err error) {
	s := &scanner{what: what, text: text}
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		syntax, ok := cause.(*syntaxError)
		if !ok {
			panic(cause)
		}
		err = syntax.apiError()
	}()
	result = grammar(s)
	if s.pos < len(s.text) {
		s.fail("end of input")
	}
	return result, nil
}

func (e *syntaxError) apiError() error {
	s := e.scanner
	column := s.skip + utf8.RuneCountInString(s.text[:s.pos]) + 1
	unexpected := "unexpected end of input"
	if char, size := utf8.DecodeRuneInString(s.text[s.pos:]); size > 0 {
		unexpected = "unexpected " + strconv.Quote(string(char))
		if strings.HasSuffix(e.expected, "end of input") {
			unexpected = "unexpected " + strconv.QuoteRune(char) // upstream's format for trailing text
		}
	}
	return apierr.New(400, "PGRST100", "\"failed to parse %s (%s)\" (line 1, column %d)", s.what, s.text, column).
		WithDetail("%s expecting %s", unexpected, e.expected)
}

func (s *scanner) fail(expected string) { panic(&syntaxError{s, expected}) }

func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scanner) rest() string { return s.text[s.pos:] }

// take consumes prefix if it comes next and reports whether it did.
func (s *scanner) take(prefix string) bool {
	if strings.HasPrefix(s.rest(), prefix) {
		s.pos += len(prefix)
		return true
	}
	return false
}

func (s *scanner) want(prefix string) {
	if !s.take(prefix) {
		s.fail(strconv.Quote(prefix))
	}
}

func (s *scanner) enter() {
	if s.depth++; s.depth > maxDepth {
		s.fail("no more than " + strconv.Itoa(maxDepth) + " levels")
	}
}

func (s *scanner) leave() { s.depth-- }

func (s *scanner) countItem() {
	if s.items++; s.items > maxItems {
		s.fail("no more than " + strconv.Itoa(maxItems) + " entries")
	}
}

const fieldName = "field name (* or [a..z0..9_$])"

// name reads a field or relation name. A quoted name may have any characters but must
// not be empty. A bare name has letters, digits, "_", "$", spaces, and dashes that are
// not part of an arrow.
func (s *scanner) name() string { return s.named(fieldName) }

// named reads a name. expected is the text for the error message.
func (s *scanner) named(expected string) string {
	if s.peek() == '"' {
		found := s.quoted()
		if found == "" {
			s.fail(expected)
		}
		return found
	}
	start := s.pos
	for s.pos < len(s.text) {
		char, size := utf8.DecodeRuneInString(s.rest())
		dash := char == '-' && !strings.HasPrefix(s.rest(), "->")
		if !dash && !isNameRune(char) {
			break
		}
		s.pos += size
	}
	found := strings.TrimSpace(s.text[start:s.pos])
	if found == "" {
		s.fail(expected)
	}
	return found
}

func isNameRune(char rune) bool {
	return char == '_' || char == '$' || char == ' ' || unicode.IsLetter(char) || unicode.IsDigit(char) || unicode.IsMark(char)
}

func (s *scanner) skipSpaces() {
	for s.peek() == ' ' {
		s.pos++
	}
}

// quoted reads a name in double quotes. A backslash escapes the next character. A NUL
// byte is rejected, since PostgreSQL does not allow it in names.
func (s *scanner) quoted() string {
	value, ok := s.tryQuoted()
	if !ok || strings.Contains(value, "\x00") {
		s.fail(`"\""`)
	}
	return value
}

func (s *scanner) tryQuoted() (value string, ok bool) {
	if !s.take(`"`) {
		return "", false
	}
	var out strings.Builder
	for s.pos < len(s.text) {
		switch char := s.text[s.pos]; {
		case char == '"':
			s.pos++
			return out.String(), true
		case char == '\\' && s.pos+1 < len(s.text):
			out.WriteByte(s.text[s.pos+1])
			s.pos += 2
		default:
			out.WriteByte(char)
			s.pos++
		}
	}
	return "", false
}

// word reads an operator or keyword: lowercase letters and underscores.
func (s *scanner) word() string {
	start := s.pos
	for s.pos < len(s.text) && (s.text[s.pos] >= 'a' && s.text[s.pos] <= 'z' || s.text[s.pos] == '_') {
		s.pos++
	}
	return s.text[start:s.pos]
}

// jsonPath reads the arrows after a column.
func (s *scanner) jsonPath() []JSONStep {
	var steps []JSONStep
	for {
		var step JSONStep
		switch {
		case s.take("->>"):
			step.Text = true
		case s.take("->"):
		default:
			return steps
		}
		s.countItem()
		step.Key, step.Index = s.jsonKey()
		steps = append(steps, step)
	}
}

func (s *scanner) jsonKey() (key string, index bool) {
	if s.peek() == '"' {
		return s.quoted(), false
	}
	start := s.pos
	for s.pos < len(s.text) {
		char, size := utf8.DecodeRuneInString(s.rest())
		if strings.ContainsRune("(){}[],.:\"\x00", char) || strings.HasPrefix(s.rest(), "->") {
			break
		}
		s.pos += size
	}
	key = s.text[start:s.pos]
	if key == "" {
		s.fail(`"-", digit or any non reserved character different from: .,>()`)
	}
	if strings.HasPrefix(key, "--") {
		s.pos = start + 1
		s.fail("digit")
	}
	_, err := strconv.Atoi(strings.TrimPrefix(key, "-"))
	return key, err == nil
}
