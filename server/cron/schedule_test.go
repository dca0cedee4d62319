package cron

import (
	"testing"
	"time"
)

// weekdaysAt is every weekday's morning: 30 9 * * 1-5.
var weekdaysAt = Schedule{Minutes: 1 << 30, Hours: 1 << 9, Days: 1<<32 - 2, Months: 1<<13 - 2, Weekdays: 0b111110, AnyDay: true}

// every is each second minute: */2 * * * *.
var every = Schedule{Minutes: 0x555555555555555, Hours: allHours, Days: 1<<32 - 2, Months: 1<<13 - 2, Weekdays: 0xff, AnyDay: true, AnyWeekday: true}

func TestMatches(t *testing.T) {
	t.Parallel()
	with := func(change func(*Schedule)) Schedule {
		s := every
		change(&s)
		return s
	}
	friday13 := with(func(s *Schedule) { s.Days, s.Weekdays, s.AnyDay, s.AnyWeekday = 1<<13, 1<<5, false, false })
	for _, c := range []struct {
		name     string
		schedule Schedule
		at       string
		want     bool
	}{
		{"a weekday", weekdaysAt, "2026-11-27 09:30", true},
		{"another minute", weekdaysAt, "2026-11-27 09:31", false},
		{"a Saturday", weekdaysAt, "2026-11-28 09:30", false},
		{"day or weekday: the day", friday13, "2026-10-13 00:00", true},
		{"day or weekday: the weekday", friday13, "2026-11-27 00:00", true},
		{"day or weekday: neither", friday13, "2026-11-26 00:00", false},
		{"day and *", with(func(s *Schedule) { s.Days, s.AnyDay = 1<<13, false }), "2026-11-27 00:00", false},
		{"every other day is no list of days", with(func(s *Schedule) { s.Days, s.Weekdays, s.AnyWeekday = 1<<13, 1<<5, false }), "2026-11-27 00:00", false},
		{"last day", with(func(s *Schedule) { s.Days, s.AnyDay, s.LastDay = 0, false, true }), "2028-02-29 00:00", true},
		{"not the last day", with(func(s *Schedule) { s.Days, s.AnyDay, s.LastDay = 0, false, true }), "2028-02-28 00:00", false},
		{"another month", with(func(s *Schedule) { s.Months = 1 << 1 }), "2026-11-27 00:00", false},
	} {
		if got := c.schedule.matches(minuteAt(t, c.at)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestRuns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		schedule   Schedule
		since, now string
		want       int
	}{
		{"the same minute", every, "2026-11-27 09:30", "2026-11-27 09:30", 0},
		{"the next minute", every, "2026-11-27 09:29", "2026-11-27 09:30", 1},
		{"a few minutes are caught up", every, "2026-11-27 09:29", "2026-11-27 09:34", 3},
		{"of many minutes the last one counts", every, "2026-11-27 09:00", "2026-11-27 10:00", 1},
		{"but all count for a fixed time", weekdaysAt, "2026-11-27 09:00", "2026-11-27 10:00", 1},
		{"after hours none do", weekdaysAt, "2026-11-27 09:00", "2026-11-27 13:00", 0},
		{"a clock that was set back", every, "2026-11-27 10:00", "2026-11-27 09:00", 0},
		{"seconds are not minutes", Schedule{Seconds: 5}, "2026-11-27 09:00", "2026-11-27 09:01", 0},
	} {
		if got := c.schedule.runs(minuteAt(t, c.since), minuteAt(t, c.now)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func minuteAt(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
