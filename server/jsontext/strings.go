package jsontext

import "encoding/json"

const hexDigits = "0123456789abcdef"

// AppendPostgresString appends text as a JSON string escaped as by PostgreSQL: only
// quotes, backslashes and control characters are escaped. text must be UTF-8.
func AppendPostgresString[T []byte | string](out []byte, text T) []byte {
	out = append(out, '"')
	start := 0
	for i := range len(text) {
		char := text[i]
		if char >= ' ' && char != '"' && char != '\\' {
			continue
		}
		out = append(out, text[start:i]...)
		start = i + 1
		switch char {
		case '"', '\\':
			out = append(out, '\\', char)
		case '\b':
			out = append(out, `\b`...)
		case '\f':
			out = append(out, `\f`...)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		default:
			out = append(out, `\u00`...)
			out = append(out, hexDigits[char>>4], hexDigits[char&0xf])
		}
	}
	return append(append(out, text[start:]...), '"')
}

// AppendString appends text as a JSON string. Printable ASCII without quotes and backslashes, the
// usual case, is copied without allocation. Other text is encoded by encoding/json, which also escapes
// <, > and &, and replaces invalid UTF-8 by U+FFFD.
func AppendString(out []byte, text string) []byte {
	for i := range len(text) {
		if char := text[i]; char < ' ' || char > '~' || char == '"' || char == '\\' {
			encoded, err := json.Marshal(text)
			if err != nil {
				return append(out, `""`...)
			}
			return append(out, encoded...)
		}
	}
	out = append(out, '"')
	out = append(out, text...)
	return append(out, '"')
}
