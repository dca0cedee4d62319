package walarchive

import (
	"fmt"
	"strconv"
	"strings"
)

// LSN is a position in the WAL, in bytes.
type LSN uint64

// String returns PostgreSQL's form, such as "0/2000028".
func (l LSN) String() string { return fmt.Sprintf("%X/%X", uint64(l)>>32, uint32(l)) }

// ParseLSN parses PostgreSQL's form.
func ParseLSN(text string) (LSN, error) {
	high, low, ok := strings.Cut(text, "/")
	upper, err := strconv.ParseUint(high, 16, 32)
	lower, err2 := strconv.ParseUint(low, 16, 32)
	if !ok || err != nil || err2 != nil {
		return 0, fmt.Errorf("%q is no position in the WAL", text)
	}
	return LSN(upper<<32 | lower), nil
}

// MarshalText implements encoding.TextMarshaler.
func (l LSN) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *LSN) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLSN(string(text))
	return err
}
