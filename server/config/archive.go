package config

import (
	"errors"
	"fmt"
	"time"
)

// Archive configures the archive of the embedded PostgreSQL's write-ahead log.
type Archive struct {
	Place    string        `env:"PLAZA_ARCHIVE"` // a folder or s3://bucket/prefix; empty disables it
	Keep     time.Duration `env:"PLAZA_ARCHIVE_KEEP" envDefault:"168h"`
	Interval time.Duration `env:"PLAZA_ARCHIVE_INTERVAL" envDefault:"1m"`
}

// minArchiveInterval keeps the number of files small.
const minArchiveInterval = time.Second

func (a Archive) check(foreign bool) error {
	var wrong []error
	if a.Place != "" && foreign {
		wrong = append(wrong, errors.New("PLAZA_ARCHIVE is for the embedded PostgreSQL, and DATABASE_URL names another: archive that one with pgBackRest or the like, and set STORAGE_KEEP_DELETED; docs/backup.md tells more"))
	}
	if a.Keep < 0 {
		wrong = append(wrong, fmt.Errorf("PLAZA_ARCHIVE_KEEP is %s: use a duration such as 168h", a.Keep))
	}
	if a.Interval < minArchiveInterval {
		wrong = append(wrong, fmt.Errorf("PLAZA_ARCHIVE_INTERVAL is %s: use a duration of %s or more", a.Interval, minArchiveInterval))
	}
	return errors.Join(wrong...)
}
