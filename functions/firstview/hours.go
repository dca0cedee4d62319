package firstview

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"plaza/functions/words"
	"plaza/server/lazyregexp"
)

// weekdays has the client's names of weekdays in the order of time.Weekday.
var weekdays = [7]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// hours are the opening hours by weekday, or a text instead.
type hours struct {
	days map[string]dayHours
	text string
}

type dayHours struct {
	open, close string
	isOpen      bool
}

// parseHours parses a stored value (DATA-09) as the client does: closed takes precedence
// over isOpen, and the default hours are 09:00 to 17:00.
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

// openingStatus is the text that shows whether a business is open, as in the client.
type openingStatus struct {
	Text string
	Open bool
}

const wholeDay = 24 * 60

// statusAt returns the status at a time, which must be in the business's time zone. Hours whose
// end is not after their start run past midnight (BIZ-14).
func (h hours) statusAt(now time.Time, w *words.Words) openingStatus {
	if h.days == nil {
		if h.text != "" {
			return openingStatus{Text: h.text}
		}
		return openingStatus{Text: w.Say("Hours not available")}
	}
	minutes := now.Hour()*60 + now.Minute()
	for ago := range 2 {
		if hours, ok := h.span(now, -ago); ok {
			if at := minutes + ago*wholeDay; at >= hours.start && at < hours.end {
				return openUntil(hours, w)
			}
		}
	}
	for in := range 8 {
		next, ok := h.span(now, in)
		if !ok || in == 0 && next.start <= minutes {
			continue
		}
		if in == 0 {
			return openingStatus{Text: w.Say("Opens %s", clock(next.start))}
		}
		day := weekdayAfter(now, in)
		return openingStatus{Text: w.Say("Opens %s %s", w.Say(strings.ToUpper(day[:1])+day[1:3]), clock(next.start))}
	}
	return openingStatus{Text: w.Say("Closed")}
}

// span is the opening time of a day, in minutes since its midnight.
type span struct{ start, end int }

// span returns the opening time of the day that is days after now. It returns false if the
// business is closed on that day or the hours are invalid.
func (h hours) span(now time.Time, days int) (span, bool) {
	day, known := h.days[weekdayAfter(now, days)]
	start, opens := parseClock(day.open)
	end, closes := parseClock(day.close)
	if end <= start {
		end += wholeDay
	}
	return span{start, end}, known && day.isOpen && opens && closes
}

func openUntil(hours span, w *words.Words) openingStatus {
	if hours.end-hours.start == wholeDay {
		return openingStatus{w.Say("Open 24 hours"), true}
	}
	return openingStatus{w.Say("Open until %s", clock(hours.end)), true}
}

func weekdayAfter(now time.Time, days int) string {
	return weekdays[(int(now.Weekday())+days+7)%7]
}

var clockShape = lazyregexp.New(`^\s*([01]?\d|2[0-4]):([0-5]\d)(:[0-5]\d)?\s*$`)

// parseClock parses "9:00", "09:00" or "09:00:00" to minutes since midnight.
func parseClock(text string) (minutes int, ok bool) {
	parts := clockShape().FindStringSubmatch(text)
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
