package main

import (
	"errors"
	"flag"
	"strings"
	"testing"
)

// A help flag only prints help, wherever it is among the arguments.
func TestHelpFlagOnlyPrintsHelp(t *testing.T) {
	dir := t.TempDir() + "/none"
	t.Setenv("PLAZA_DATA_DIR", dir)
	arguments := map[string][]string{
		"new": {"name"}, "keys": {"show", "rotate", "signing", "signing list", "signing rotate", "signing revoke x", "nonsense"}, "demo": {"remove"},
		"import-users": {"file"}, "backup": {"dir"}, "restore": {"dir"}, "rest": {"file"}, "ready": {"http://127.0.0.1:1"},
	}
	for _, c := range commands() {
		for _, given := range append(arguments[c.name], "") {
			for _, help := range []string{"--help", "-h"} {
				args := append(append([]string{c.name}, strings.Fields(given)...), help)
				if err := run(t.Context(), args); !errors.Is(err, flag.ErrHelp) {
					t.Errorf("plaza %s: %v", strings.Join(args, " "), err)
				}
			}
		}
		if err := run(t.Context(), []string{"help", c.name}); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("plaza help %s: %v", c.name, err)
		}
	}
}

func TestUnknownArgumentsAreRefused(t *testing.T) {
	t.Setenv("PLAZA_DATA_DIR", t.TempDir()+"/none")
	for _, c := range commands() {
		if err := run(t.Context(), []string{c.name, "a", "b", "c", "d"}); err == nil || !strings.Contains(err.Error(), "does not take") {
			t.Errorf("plaza %s a b c d: %v", c.name, err)
		}
		if err := run(t.Context(), []string{c.name, "a", "--nonsense"}); err == nil || !strings.Contains(err.Error(), "nonsense") {
			t.Errorf("plaza %s a --nonsense: %v", c.name, err)
		}
	}
}
