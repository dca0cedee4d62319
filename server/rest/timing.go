package rest

import (
	"strconv"
	"time"
)

// stopwatch measures the parts of a request for its Server-Timing header. A nil
// stopwatch does nothing.
type stopwatch struct {
	began time.Time
	parts []timedPart
}

type timedPart struct {
	name string
	took time.Duration
}

// The parts of a request, with upstream's names.
const (
	partJWT         = "jwt"
	partParse       = "parse"
	partPlan        = "plan"
	partTransaction = "transaction"
	partResponse    = "response"
)

func newStopwatch(enabled bool) *stopwatch {
	if !enabled {
		return nil
	}
	return &stopwatch{began: time.Now()}
}

// lap adds the time since the last lap to a part.
func (s *stopwatch) lap(name string) {
	if s == nil {
		return
	}
	now := time.Now()
	took := now.Sub(s.began)
	s.began = now
	for i := range s.parts {
		if s.parts[i].name == name {
			s.parts[i].took += took
			return
		}
	}
	s.parts = append(s.parts, timedPart{name, took})
}

// header returns the header value in milliseconds: "jwt;dur=0.1, parse;dur=0.2".
func (s *stopwatch) header() string {
	out := make([]byte, 0, 96)
	for i, part := range s.parts {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(out, part.name...)
		out = append(out, ";dur="...)
		out = strconv.AppendFloat(out, float64(part.took.Microseconds())/1000, 'f', 1, 64)
	}
	return string(out)
}
