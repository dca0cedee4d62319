package cron

import "time"

// Schedule is a parsed schedule, as the database's function cron._parse returns it: every Seconds
// seconds, once when a server begins to run the jobs, or in the minutes whose parts are bits of the sets.
type Schedule struct {
	Seconds                                int
	AtStart                                bool
	Minutes, Hours, Days, Months, Weekdays uint64
	AnyDay, AnyWeekday, LastDay            bool // the field begins with "*", or is "$"
}

// Limits of the time since the schedules were last checked. Beyond them, only the current minute counts.
// Source: pg_cron, which has them from Vixie's cron.
const (
	maxCatchUp = 5 * time.Minute // for all schedules
	maxSkipped = 3 * time.Hour   // for schedules that restrict both minutes and hours
	allMinutes = 1<<60 - 1
	allHours   = 1<<24 - 1
)

// matches reports whether a minute, in the time zone of the schedules, belongs to the schedule. The
// day is matched by either of day and weekday, or by both if one of them is "*".
func (s Schedule) matches(minute time.Time) bool {
	in := func(set uint64, part int) bool { return set&(1<<part) != 0 }
	day := in(s.Days, minute.Day()) || s.LastDay && minute.AddDate(0, 0, 1).Day() == 1
	weekday := in(s.Weekdays, int(minute.Weekday()))
	days := day || weekday
	if s.AnyDay || s.AnyWeekday {
		days = day && weekday
	}
	return in(s.Minutes, minute.Minute()) && in(s.Hours, minute.Hour()) && in(s.Months, int(minute.Month())) && days
}

// isFixed reports whether the schedule restricts both minutes and hours.
func (s Schedule) isFixed() bool { return s.Minutes != allMinutes && s.Hours != allHours }

// runs returns how often a job is due after the minute since, up to and including the minute now.
func (s Schedule) runs(since, now time.Time) (due int) {
	passed := now.Sub(since)
	if passed <= 0 || s.Seconds > 0 || s.AtStart {
		return 0
	}
	skipsMissed := passed > maxSkipped || passed > maxCatchUp && !s.isFixed()
	if skipsMissed {
		since = now.Add(-time.Minute)
	}
	for minute := since.Add(time.Minute); !minute.After(now); minute = minute.Add(time.Minute) {
		if s.matches(minute) {
			due++
		}
	}
	return due
}
