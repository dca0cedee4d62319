package main

import "testing"

func TestCommandRunsWithAClusterAndItsStatusIsPassedOn(t *testing.T) {
	t.Parallel()
	status, err := run([]string{"/bin/sh", "-c", `case "$TEST_DATABASE_URL" in postgres://*) exit 7 ;; esac`})
	if err != nil || status != 7 {
		t.Errorf("status %d, %v; want the command's 7", status, err)
	}
}

func TestMissingCommand(t *testing.T) {
	t.Parallel()
	if _, err := run([]string{"/no/such/command"}); err == nil {
		t.Error("a missing command is no error")
	}
}
