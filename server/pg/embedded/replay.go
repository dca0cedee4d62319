package embedded

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Files of PostgreSQL in the data folder. The first makes it replay WAL as a standby does,
// the second ends that.
const (
	standbyFile = "standby.signal"
	promoteFile = "promote"
)

// promoteSignal asks the postmaster to look for promoteFile.
const promoteSignal = syscall.Signal(promoteNumber)

// promoteInterval is how often the request is repeated. PostgreSQL ignores one that comes
// too early.
const promoteInterval = 200 * time.Millisecond

// replaySettings are PostgreSQL's settings for replaying WAL up to a time.
func replaySettings(until time.Time) map[string]string {
	return map[string]string{
		"recovery_target_time":     until.UTC().Format("2006-01-02 15:04:05.999999-07:00"),
		"recovery_target_timeline": "current",
		"recovery_target_action":   "promote",
		// Nobody reads meanwhile, so settings that differ from those of the former server do no harm.
		"hot_standby":      "off",
		"restore_command":  "",
		"primary_conninfo": "",
	}
}

// prepareReplay makes the next start replay WAL, if the configuration says so.
func prepareReplay(cfg *Config, id identity) error {
	if cfg.ReplayUntil.IsZero() {
		return nil
	}
	settings := maps.Clone(cfg.Settings)
	if settings == nil {
		settings = make(map[string]string)
	}
	maps.Copy(settings, replaySettings(cfg.ReplayUntil))
	cfg.Settings = settings
	return id.createFile(filepath.Join(cfg.DataDir, standbyFile))
}

// createFile creates an empty file that belongs to the identity.
func (id identity) createFile(path string) error {
	err := os.WriteFile(path, nil, 0o600)
	if err == nil {
		err = id.own(path)
	}
	if err != nil {
		return notWritable(path, err)
	}
	return nil
}

// promote asks a PostgreSQL that replays WAL to finish once it has replayed all there is: as a
// standby it would wait for more. If it has not reached ReplayUntil then, it stops with an error.
func (s *Server) promote(p *process) error {
	if !starting(s.cfg.DataDir, p.pid) {
		return nil // it does not handle the signal yet
	}
	if err := s.id.createFile(filepath.Join(s.cfg.DataDir, promoteFile)); err != nil {
		return err
	}
	return p.signal(promoteSignal)
}

// endReplay removes promoteFile if it is still there.
func (s *Server) endReplay() error {
	err := os.Remove(filepath.Join(s.cfg.DataDir, promoteFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
