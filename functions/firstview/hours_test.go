package firstview

import (
	"testing"
	"time"

	"plaza/functions/words"
)

var testWords, _ = words.Of("/", nil)

// The same cases as the client's open-state.test.ts, on Wednesday 25 November 2026.
func TestStatusAt(t *testing.T) {
	t.Parallel()
	const (
		shop = `{"open":"09:00","close":"17:00","isOpen":true}`
		bar  = `{"open":"20:00","close":"02:30","isOpen":true}`
	)
	tests := []struct{ rule, stored, at, text string }{
		{"within the hours of the day", `{"wednesday":` + shop + `}`, "12:00", "Open until 17:00"},
		{"from the opening minute", `{"wednesday":` + shop + `}`, "09:00", "Open until 17:00"},
		{"not at the closing minute", `{"wednesday":` + shop + `,"thursday":` + shop + `}`, "17:00", "Opens Thu 09:00"},
		{"later today", `{"wednesday":` + shop + `}`, "08:59", "Opens 09:00"},
		{"past midnight, in the evening", `{"wednesday":` + bar + `}`, "23:00", "Open until 02:30"},
		{"past midnight, the morning after", `{"tuesday":` + bar + `}`, "02:29", "Open until 02:30"},
		{"past midnight, until the end", `{"tuesday":` + bar + `}`, "02:30", "Opens Tue 20:00"},
		{"not before an overnight opening", `{"wednesday":` + bar + `}`, "01:00", "Opens 20:00"},
		{"until midnight", `{"wednesday":{"open":"20:00","close":"00:00"}}`, "23:59", "Open until 00:00"},
		{"around the clock", `{"wednesday":{"open":"00:00","close":"00:00"}}`, "12:00", "Open 24 hours"},
		{"a missing day is closed", `{"friday":` + shop + `}`, "12:00", "Opens Fri 09:00"},
		{"closed wins over isOpen", `{"wednesday":{"isOpen":true,"closed":true}}`, "12:00", "Closed"},
		{"isOpen false wins", `{"wednesday":{"isOpen":false,"closed":false}}`, "12:00", "Closed"},
		{"default hours", `{"wednesday":{"isOpen":true}}`, "16:59", "Open until 17:00"},
		{"once a week", `{"wednesday":` + shop + `}`, "18:00", "Opens Wed 09:00"},
		{"no time", `{"wednesday":{"open":"morning"}}`, "12:00", "Closed"},
		{"an hour without zero", `{"wednesday":{"open":"9:00","close":"24:00"}}`, "23:00", "Open until 00:00"},
		{"invalid days", `{"wednesday":"all day","thursday":null}`, "12:00", "Closed"},
	}
	for _, tt := range tests {
		at, err := time.Parse("2006-01-02 15:04", "2026-11-25 "+tt.at)
		if err != nil {
			t.Fatal(err)
		}
		got := parseHours([]byte(`{"structured":`+tt.stored+`}`)).statusAt(at, testWords)
		if want := (openingStatus{tt.text, tt.text[:5] == "Open "}); got != want {
			t.Errorf("%s: %v, want %v", tt.rule, got, want)
		}
	}
	for stored, want := range map[string]string{
		`" by appointment "`: "by appointment", `""`: "Hours not available", `null`: "Hours not available", `[]`: "Hours not available",
		`{"structured":null}`: "Hours not available", `{"weekday_text":["x"]}`: "Hours not available", ``: "Hours not available",
	} {
		if got := parseHours([]byte(stored)).statusAt(time.Now(), testWords); got.Text != want || got.Open {
			t.Errorf("%s: %v, want %q", stored, got, want)
		}
	}
}
