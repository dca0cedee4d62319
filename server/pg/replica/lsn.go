package replica

import (
	"fmt"
	"strconv"
	"strings"
)

// LSN is a position in the primary's write-ahead log. A server that has replayed it
// shows everything that was committed before it. Zero means no position.
type LSN uint64

// ParseLSN parses PostgreSQL's form, such as 16/B374D848. It returns zero for any other text.
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

// String returns PostgreSQL's form.
func (l LSN) String() string { return fmt.Sprintf("%X/%X", uint64(l)>>32, uint32(l)) }
