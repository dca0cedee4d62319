package main

import (
	"slices"
	"strings"
)

// level is what a test exercises, and so what it would detect.
type level string

const (
	screen level = "screen" // a browser, or a component in a DOM
	api    level = "API"    // HTTP, through supabase-js or plainly
	table  level = "table"  // SQL, as a role
	unit   level = "unit"   // pure functions of the client
)

// countingLevels lists the levels that count for the requirements of an area. Areas that are not listed
// describe screens: only a test of a screen would fail if they were not met.
var countingLevels = map[string][]level{
	"API":   {api},
	"FN":    {api, table}, // a function of the server or of the database
	"STORE": {api, table},
	"DATA":  {table, api},
	"RULE":  {table, api},
	"PERM":  {table, api},
	"SEED":  {table, api},
	// Limits and timeouts are enforced at various levels.
	"CONST": {screen, api, table, unit},
}

// screenOnly lists requirements of those areas that only a screen can meet: the names of roles
// (PERM-02), the second field of a form (RULE-05), what an admin can still use on a page that
// failed (PERM-08) and what a browser stores (DATA-28).
var screenOnly = []string{"PERM-02", "RULE-05", "PERM-08", "DATA-28"}

// levelCounts reports whether a test at a level covers a requirement of an area.
func levelCounts(area, id string, l level) bool {
	levels, listed := countingLevels[area]
	if !listed || slices.Contains(screenOnly, id) {
		return l == screen
	}
	return slices.Contains(levels, l)
}

// levelOf returns the level of a test file, given its path from the root of the tree. It is empty
// for files that are not tests.
func levelOf(path string) level {
	switch {
	case strings.HasSuffix(path, ".spec.ts"), strings.HasSuffix(path, ".test.tsx"):
		return screen
	case strings.HasPrefix(path, "client/") && strings.HasSuffix(path, ".test.ts"):
		return unit
	case strings.HasPrefix(path, "tests/structure/"): // reads ids and covers none
		return ""
	case strings.HasPrefix(path, "tests/rls/") && strings.HasSuffix(path, "_test.go"):
		return table
	case strings.HasSuffix(path, "_test.go"), strings.HasSuffix(path, ".test.mjs"), strings.HasSuffix(path, ".test.ts"):
		return api
	}
	return ""
}
