package pgtap

import (
	"slices"
	"strconv"
	"strings"

	"plaza/server/lazyregexp"
)

// tap is the result of a file, read from its output in TAP, the Test Anything
// Protocol.
type tap struct {
	planned     int // -1 before there is a plan
	skippedAll  bool
	skipReason  string
	run         int
	failed      []int // numbers of tests
	todoPassed  []int // numbers of tests that were expected to fail
	wrongNumber []int
	bailedOut   bool
	bailReason  string
	diagnostics []string // of failed tests
}

var (
	planLine = lazyregexp.New(`^1\.\.(\d+)\s*(?:#\s*(?i:skip)\S*\s*(.*))?$`)
	testLine = lazyregexp.New(`^(not )?ok\b\s*(\d+)?(.*)$`)
	bailLine = lazyregexp.New(`^Bail out!\s*(.*)$`)
	// A directive follows a # that is not escaped.
	directive = lazyregexp.New(`(?i)(?:^|[^\\])#\s*(todo|skip\S*)(?:\s|$)`)
)

// maxDiagnostics bounds what is kept of a file's diagnostics.
const maxDiagnostics = 10_000

// read reads a line.
func (t *tap) read(line string) {
	if parts := planLine().FindStringSubmatch(line); parts != nil {
		t.planned, _ = strconv.Atoi(parts[1])
		t.skippedAll, t.skipReason = t.planned == 0, parts[2]
		return
	}
	if parts := bailLine().FindStringSubmatch(line); parts != nil {
		t.bailedOut, t.bailReason = true, parts[1]
		return
	}
	if strings.HasPrefix(line, "#") {
		if len(t.diagnostics) < maxDiagnostics {
			t.diagnostics = append(t.diagnostics, line)
		}
		return
	}
	parts := testLine().FindStringSubmatch(line)
	if parts == nil {
		return
	}
	t.run++
	number := t.run
	if parts[2] != "" {
		if number, _ = strconv.Atoi(parts[2]); number != t.run {
			t.wrongNumber = append(t.wrongNumber, number)
		}
	}
	isOK, kind := parts[1] == "", ""
	if found := directive().FindStringSubmatch(parts[3]); found != nil {
		kind = strings.ToLower(found[1][:4])
	}
	switch {
	case kind == "todo" && isOK:
		t.todoPassed = append(t.todoPassed, number)
	case !isOK && kind == "":
		t.failed = append(t.failed, number)
	}
}

// problems returns what is wrong with a file, in prove's words.
func (t *tap) problems() (problems []string) {
	add := func(name string, numbers []int) {
		if len(numbers) > 0 {
			problems = append(problems, name+": "+strings.Join(ranges(numbers), ", "))
		}
	}
	add(plural(len(t.failed), "Failed test", "Failed tests"), t.failed)
	add("Parse errors: tests out of sequence", t.wrongNumber)
	switch {
	case t.bailedOut:
		problems = append(problems, "Bailed out: "+t.bailReason)
	case t.planned < 0:
		problems = append(problems, "Parse errors: No plan found in TAP output")
	case t.planned != t.run:
		problems = append(problems, "Parse errors: Bad plan.  You planned "+strconv.Itoa(t.planned)+" tests but ran "+strconv.Itoa(t.run)+".")
	}
	return problems
}

// ranges returns numbers with runs of them joined: 1-3, 7.
func ranges(numbers []int) (joined []string) {
	slices.Sort(numbers)
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		text := strconv.Itoa(numbers[i])
		if end > i {
			text += "-" + strconv.Itoa(numbers[end])
		}
		joined = append(joined, text)
		i = end + 1
	}
	return joined
}

func plural(count int, one, many string) string {
	if count == 1 {
		return one
	}
	return many
}
