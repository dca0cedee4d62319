package settings

import (
	"fmt"
	"regexp"
	"strings"
)

// CompileGlob compiles a pattern of the allow list to a regular expression. `*` matches any
// characters except "." and "/", `**` any characters, `?` one character except those two,
// `[abc]`, `[a-z]`, `[!abc]` one of a set, and `{a,b}` one of several texts. `\` escapes the next
// character.
func CompileGlob(pattern string) (*regexp.Regexp, error) {
	var out strings.Builder
	out.WriteString(`\A`)
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch char := pattern[i]; {
		case char == '*' && strings.HasPrefix(pattern[i:], "**"):
			out.WriteString(`(?s:.*)`)
			i++
		case char == '*':
			out.WriteString(`[^./]*`)
		case char == '?':
			out.WriteString(`[^./]`)
		case char == '{':
			out.WriteString(`(?:`)
			depth++
		case char == '}' && depth > 0:
			out.WriteString(`)`)
			depth--
		case char == ',' && depth > 0:
			out.WriteString(`|`)
		case char == '[':
			set, length, err := compileSet(pattern[i:])
			if err != nil {
				return nil, err
			}
			out.WriteString(set)
			i += length - 1
		case char == '\\' && i+1 < len(pattern):
			i++
			out.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		default:
			out.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		}
	}
	if depth > 0 {
		return nil, fmt.Errorf("pattern %q: a { is not closed", pattern)
	}
	compiled, err := regexp.Compile(out.String() + `\z`)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return compiled, nil
}

// compileSet compiles [abc], [a-z] or [!abc] at the start of text, and returns its length in text.
func compileSet(text string) (set string, length int, err error) {
	end := strings.IndexByte(text, ']')
	if end < 2 {
		return "", 0, fmt.Errorf("pattern part %q: a [ is not closed", text)
	}
	inner := text[1:end]
	negated := strings.HasPrefix(inner, "!")
	inner = strings.TrimPrefix(inner, "!")
	var out strings.Builder
	out.WriteString("[")
	if negated {
		out.WriteString("^")
	}
	for i, char := range []byte(inner) {
		if char == '-' && i > 0 && i < len(inner)-1 {
			out.WriteByte('-')
			continue
		}
		out.WriteString(fmt.Sprintf(`\x{%x}`, char))
	}
	out.WriteString("]")
	return out.String(), end + 1, nil
}
