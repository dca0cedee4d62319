package config

import (
	"errors"
	"fmt"
	"time"
)

// Archive configures the archive of the embedded PostgreSQL's write-ahead log.
type Archive struct {
	Place    string        `env:"PLAZA_ARCHIVE"`                          // a folder or s3://bucket/prefix; empty disables it
	Keep     time.Duration `env:"PLAZA_ARCHIVE_KEEP" envDefault:"168h"`   // how far back the project can be restored
	Interval time.Duration `env:"PLAZA_ARCHIVE_INTERVAL" envDefault:"1m"` // the WAL is archived at least this often
}

// minArchiveInterval keeps the number of files small.
const minArchiveInterval = time.Second

// check returns an error that lists all invalid settings. foreign reports whether DATABASE_URL is set.
func (a Archive) check(foreign bool) error {
	var wrong []error
	if a.Place != "" && foreign {
		wrong = append(wrong, errors.New("PLAZA_ARCHIVE is for the embedded PostgreSQL, and DATABASE_URL names another: archive that one with pgBackRest or a similar tool, and set STORAGE_KEEP_DELETED; see docs/backup.md"))
	}
	if a.Keep < 0 {
		wrong = append(wrong, fmt.Errorf("PLAZA_ARCHIVE_KEEP is %s: use a duration such as 168h", a.Keep))
	}
	if a.Interval < minArchiveInterval {
		wrong = append(wrong, fmt.Errorf("PLAZA_ARCHIVE_INTERVAL is %s: use a duration of %s or more", a.Interval, minArchiveInterval))
	}
	return errors.Join(wrong...)
}
