package embedded

import "errors"

// Errors of Start that the user can do something about.
var (
	// ErrNoBinaries: PostgreSQL is not installed in any of the searched folders.
	ErrNoBinaries = errors.New("no PostgreSQL found")
	// ErrVersion: PostgreSQL is too old to be safe or to work.
	ErrVersion = errors.New("PostgreSQL is too old")
	// ErrDataVersion: the data folder belongs to another major version.
	ErrDataVersion = errors.New("the data folder was made by another PostgreSQL version")
	// ErrDataInUse: another server works on the data folder.
	ErrDataInUse = errors.New("the data folder is in use")
	// ErrNotWritable: the data folder cannot be made or written.
	ErrNotWritable = errors.New("the data folder cannot be written")
	// ErrUnreachable: PostgreSQL's user may not reach binaries or data.
	ErrUnreachable = errors.New("PostgreSQL's user cannot reach a folder")
	// ErrPortInUse: something else listens on the port.
	ErrPortInUse = errors.New("the PostgreSQL port is in use")
	// ErrPassword: the data folder was made with another password.
	ErrPassword = errors.New("the data folder was made with another superuser password")
	// ErrStart: PostgreSQL ended before it accepted connections.
	ErrStart = errors.New("PostgreSQL did not start")
)
