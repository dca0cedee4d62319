package pg

import (
	"fmt"
	"strconv"
	"strings"
)

// LSN is a position in the primary's write-ahead log. A server that has
// replayed it shows all that was committed before. Zero is no position.
type LSN uint64

// ParseLSN reads PostgreSQL's form, such as 16/B374D848; what is none is zero.
func ParseLSN(text string) LSN {
	high, low, ok := strings.Cut(text, "/")
	if !ok {
		return 0
	}
	upper, err := strconv.ParseUint(high, 16, 32)
	if err != nil {
		return 0
	}
	lower, err := strconv.ParseUint(low, 16, 32)
	if err != nil {
		return 0
	}
	return LSN(upper<<32 | lower)
}

// String writes PostgreSQL's form.
func (l LSN) String() string { return fmt.Sprintf("%X/%X", uint64(l)>>32, uint32(l)) }
