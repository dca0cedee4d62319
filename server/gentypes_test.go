package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plaza/server/gentypes"
)

func TestFlagsOfGentypes(t *testing.T) {
	t.Parallel()
	const address = "postgres://localhost/a"
	usual := typeFlags{language: "typescript", timeout: 15 * time.Second}
	with := func(change func(*typeFlags)) typeFlags {
		f := usual
		change(&f)
		return f
	}
	for args, want := range map[string]typeFlags{
		"":                   usual,
		"typescript":         usual,
		"--lang typescript":  usual,
		"typescript --local": with(func(f *typeFlags) { f.local = true }),
		"--schema a,b -s c":  with(func(f *typeFlags) { f.options.Schemas = []string{"a", "b", "c"} }),
		"--db-url " + address + " --query-timeout 1m": with(func(f *typeFlags) { f.address, f.timeout = address, time.Minute }),
		"--project dir --postgrest-v9-compat":         with(func(f *typeFlags) { f.folder, f.options.WithoutOneToOne = "dir", true }),
		"--exact --postgrest-version 13.0": with(func(f *typeFlags) {
			f.options = gentypes.Options{Exact: true, PostgrestVersion: "13.0"}
		}),
	} {
		got, err := parseTypeFlags(strings.Fields(args))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(typeFlags{})); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", args, err, diff)
		}
	}
	for args, want := range map[string]string{
		"--lang go":                     `no types in "go"`,
		"swift":                         `no types in "swift"`,
		"--local --db-url " + address:   "use either",
		"--schema a,":                   "empty name",
		"--linked":                      "linked",
		"typescript and-something-else": "does not take",
	} {
		if _, err := parseTypeFlags(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
