package check

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// String returns the size as a text, such as "about 1,000 rows, 2.0 MB".
func (s Size) String() string {
	rows := fmt.Sprintf("about %s rows", grouped(s.Rows))
	if s.Rows < 0 {
		rows = "unknown number of rows"
	}
	return rows + ", " + bytesText(s.Bytes)
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func bytesText(n int64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	value, unit := float64(n), 0
	for value >= 1024 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	if unit == 0 || value >= 10 {
		return fmt.Sprintf("%.0f %s", value, units[unit])
	}
	return fmt.Sprintf("%.1f %s", value, units[unit])
}

// Write writes a report as text, or as JSON.
func (r Report) Write(out io.Writer, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s:%d: %s\n  %s: %s.\n", f.Source, f.File, f.Line, f.Statement, f.Kind, f.Problem)
		if len(f.Safe) > 0 {
			b.WriteString("  Instead:\n")
		}
		for i, step := range f.Safe {
			if len(f.Safe) > 1 {
				fmt.Fprintf(&b, "    -- migration %d\n", i+1)
			}
			b.WriteString("    " + strings.ReplaceAll(abridge(step), "\n", "\n    ") + "\n")
		}
		if f.Note != "" {
			b.WriteString("  " + f.Note + "\n")
		}
		b.WriteString("\n")
	}
	for _, w := range r.Warnings {
		b.WriteString("warning: " + w + "\n")
	}
	fmt.Fprintf(&b, "%d findings in %d pending files", len(r.Findings), r.Files)
	if r.Allowed > 0 {
		fmt.Fprintf(&b, "; comments allow %d more", r.Allowed)
	}
	_, err := io.WriteString(out, b.String()+"\n")
	return err
}

// abridge shortens a long migration, such as one that has all earlier statements of a file.
func abridge(text string) string {
	const most, kept = 24, 4
	lines := strings.Split(text, "\n")
	if len(lines) <= most {
		return text
	}
	return strings.Join(lines[:kept], "\n") + fmt.Sprintf("\n-- … and %d more lines", len(lines)-kept)
}
