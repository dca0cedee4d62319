package firstview

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// weekdays in the client's spelling, in Go's order.
var weekdays = [7]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// hours are a week's opening hours by weekday, or the text that stands in their place.
type hours struct {
	days map[string]dayHours
	text string
}

type dayHours struct {
	open, close string
	isOpen      bool
}

// parseHours reads a stored value (DATA-09) as the client does: closed wins over
// isOpen, and what a day leaves out is 09:00 to 17:00.
func parseHours(stored json.RawMessage) hours {
	var text string
	if json.Unmarshal(stored, &text) == nil {
		return hours{text: strings.TrimSpace(text)}
	}
	var week struct {
		Structured map[string]json.RawMessage `json:"structured"`
	}
	if json.Unmarshal(stored, &week) != nil || week.Structured == nil {
		return hours{}
	}
	found := hours{days: make(map[string]dayHours)}
	for _, weekday := range weekdays {
		var day map[string]any
		if json.Unmarshal(week.Structured[weekday], &day) != nil || day == nil {
			continue
		}
		one := dayHours{open: "09:00", close: "17:00", isOpen: day["closed"] != true && day["isOpen"] != false}
		if text, ok := day["open"].(string); ok {
			one.open = text
		}
		if text, ok := day["close"].(string); ok {
			one.close = text
		}
		found.days[weekday] = one
	}
	return found
}

// openLine says whether a business is open, as the cards of the client do.
type openLine struct {
	Text string
	Open bool
}

const wholeDay = 24 * 60

// at gives the line for a moment, which must be in the business's own zone. Hours
// that close no later than they open run past midnight (BIZ-14).
func (h hours) at(now time.Time) openLine {
	if h.days == nil {
		if h.text != "" {
			return openLine{Text: h.text}
		}
		return openLine{Text: "Hours not available"}
	}
	minutes := now.Hour()*60 + now.Minute()
	for ago := range 2 {
		if hours, ok := h.span(now, -ago); ok {
			if at := minutes + ago*wholeDay; at >= hours.start && at < hours.end {
				return until(hours)
			}
		}
	}
	for in := range 8 {
		next, ok := h.span(now, in)
		if !ok || in == 0 && next.start <= minutes {
			continue
		}
		if in == 0 {
			return openLine{Text: "Opens " + clock(next.start)}
		}
		day := weekdayAfter(now, in)
		return openLine{Text: "Opens " + strings.ToUpper(day[:1]) + day[1:3] + " " + clock(next.start)}
	}
	return openLine{Text: "Closed"}
}

// span is when a day's hours begin and end, in minutes from its midnight.
type span struct{ start, end int }

// span is false for a day that is shut or says nothing that can be read.
func (h hours) span(now time.Time, days int) (span, bool) {
	day, known := h.days[weekdayAfter(now, days)]
	start, opens := parseClock(day.open)
	end, closes := parseClock(day.close)
	if end <= start {
		end += wholeDay
	}
	return span{start, end}, known && day.isOpen && opens && closes
}

func until(hours span) openLine {
	if hours.end-hours.start == wholeDay {
		return openLine{"Open 24 hours", true}
	}
	return openLine{"Open until " + clock(hours.end), true}
}

func weekdayAfter(now time.Time, days int) string {
	return weekdays[(int(now.Weekday())+days+7)%7]
}

var clockShape = regexp.MustCompile(`^\s*([01]?\d|2[0-4]):([0-5]\d)(:[0-5]\d)?\s*$`)

// parseClock reads "9:00", "09:00" or "09:00:00" as minutes since midnight.
func parseClock(text string) (minutes int, ok bool) {
	parts := clockShape.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	hour, _ := strconv.Atoi(parts[1])
	minute, _ := strconv.Atoi(parts[2])
	minutes = hour*60 + minute
	return minutes, minutes <= wholeDay
}

func clock(minutes int) string {
	return fmt.Sprintf("%02d:%02d", minutes/60%24, minutes%60)
}
