package backup

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"plaza/storage/blob"
	"plaza/storage/core"
)

const (
	// copiers is the number of objects that are copied concurrently. A remote store has a
	// high latency for each.
	copiers = 8

	rowsFile = "rows.partial"
)

// copyObjects copies the blobs to which rows refer, and writes objects.csv.
func (m *maker) copyObjects(ctx context.Context, conn *pgx.Conn, stored bool) (err error) {
	m.o.Progress("Copying the objects")
	rows, err := spoolRows(ctx, m.d.root, func(to io.Writer) error {
		if !stored {
			return nil
		}
		return core.ListBlobs(ctx, conn, true, to)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close(), m.d.root.Remove(rowsFile)) }()
	list, err := m.d.create(listFile)
	if err != nil {
		return err
	}
	lines := csv.NewWriter(list)
	if err := lines.Write(objectColumns); err != nil {
		return err
	}
	if err := m.pipe(ctx, rows, lines); err != nil {
		return err
	}
	lines.Flush()
	return errors.Join(lines.Error(), list.Close())
}

// spoolRows writes the database's list of blobs to a temporary file, so that the query
// does not have to stay open during a long copy.
func spoolRows(ctx context.Context, root *os.Root, list func(io.Writer) error) (*os.File, error) {
	file, err := root.OpenFile(rowsFile, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	err = list(file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// copying is a blob that is being copied.
type copying struct {
	row
	linked bool // its file is shared with an earlier backup
	object object
	copied chan struct{}
}

// pipe copies several blobs concurrently and writes their lines in order.
func (m *maker) pipe(ctx context.Context, rows io.Reader, lines *csv.Writer) error {
	group, ctx := errgroup.WithContext(ctx)
	work, order := make(chan *copying), make(chan *copying, 4*copiers)
	group.Go(func() error {
		defer close(work)
		defer close(order)
		return m.dispatch(ctx, rows, work, order)
	})
	for range copiers {
		group.Go(func() error {
			for c := range work {
				if err := m.copyObject(ctx, c); err != nil {
					return fmt.Errorf("%s: %w", c.row, err)
				}
				close(c.copied)
			}
			return nil
		})
	}
	group.Go(func() error {
		report := throttle(func() {
			m.o.Progress(fmt.Sprintf("%d objects, %s so far", m.made.Objects.Count, Bytes(m.made.Objects.Bytes)))
		})
		for c := range order {
			select {
			case <-c.copied:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := m.record(c, lines); err != nil {
				return err
			}
			report()
		}
		return nil
	})
	return group.Wait()
}

// dispatch sends rows to the copiers and, in order, to the goroutine that records them.
func (m *maker) dispatch(ctx context.Context, rows io.Reader, work, order chan<- *copying) error {
	earlier, err := m.openEarlier()
	if err != nil {
		return err
	}
	defer earlier.close()
	return readRows(rows, func(r row) error {
		c := &copying{row: r, object: object{blob: r.blob, file: fileOf(r.blob), bucket: r.bucket, key: r.key}, copied: make(chan struct{})}
		if c.linked, err = earlier.link(c, m.d); err != nil {
			return err
		}
		for _, to := range []chan<- *copying{order, work} {
			select {
			case to <- c:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
}

// copyObject copies the bytes of a blob.
func (m *maker) copyObject(ctx context.Context, c *copying) error {
	if c.linked {
		return nil
	}
	from, err := m.src.Blobs.Get(ctx, c.blob, 0, math.MaxInt64)
	if errors.Is(err, blob.ErrNotFound) {
		c.object.problem, c.object.file = "there are no bytes", ""
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	file, err := createBelow(m.d.root, c.object.file)
	if err != nil {
		return err
	}
	sum, plain := sha256.New(), md5.New() // an ETag is an MD5 sum
	c.object.bytes, err = io.Copy(io.MultiWriter(file, sum, plain), from)
	if err := errors.Join(err, file.Close(), ctx.Err()); err != nil {
		return err
	}
	c.object.sum = hex.EncodeToString(sum.Sum(nil))
	c.object.problem = c.differs(c.object.bytes, hex.EncodeToString(plain.Sum(nil)))
	return nil
}

// createBelow creates a file, and its folder if necessary.
func createBelow(root *os.Root, name string) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	file, err := root.OpenFile(name, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return nil, err
		}
		file, err = root.OpenFile(name, flags, 0o600)
	}
	return file, err
}

// record writes the line of an object and its checksum.
func (m *maker) record(c *copying, lines *csv.Writer) error {
	o := c.object
	if o.sum == "" && o.bucket == "" {
		return nil // an upload in progress, or a blob that was deleted before the backup began
	}
	if o.bucket != "" {
		m.count(c)
	}
	if err := lines.Write(o.line()); err != nil || o.sum == "" {
		return err
	}
	sum, err := hex.DecodeString(o.sum)
	if err != nil {
		return err
	}
	return m.d.sums.add(o.file, sum)
}

// count counts an object to which a row still refers, and reports a damaged one.
func (m *maker) count(c *copying) {
	m.made.Objects.Count++
	m.made.Objects.Bytes += c.object.bytes
	if c.object.problem != "" {
		m.made.Objects.Damaged++
		m.o.Progress(fmt.Sprintf("damaged: %s: %s", c.row, c.object.problem))
	}
	if c.linked {
		m.made.Objects.Linked++
	}
}

// earlier is an earlier backup whose files are shared. A nil earlier shares nothing.
type earlier struct {
	dir  string
	list *listReader
}

// openEarlier opens the backup of LinkDest. It returns nil if there is none.
//
// Errors: ErrPlace; ErrAltered; ErrIncompatible.
func (m *maker) openEarlier() (*earlier, error) {
	if m.o.LinkDest == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(m.o.LinkDest)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPlace, err)
	}
	defer func() { _ = root.Close() }()
	if _, err := readDescription(root); err != nil {
		return nil, err
	}
	list, err := readList(root)
	if err != nil {
		return nil, err
	}
	return &earlier{dir: m.o.LinkDest, list: list}, nil
}

func (e *earlier) close() {
	if e != nil {
		_ = e.list.Close()
	}
}

// link creates a hard link to the file of a blob if the earlier backup has it without a
// known problem. The content is verified when the new backup is read back.
func (e *earlier) link(c *copying, d *draft) (bool, error) {
	if e == nil {
		return false, nil
	}
	before, ok, err := e.list.find(c.blob)
	if err != nil || !ok || before.sum == "" || before.problem != "" || c.size != "" && c.size != strconv.FormatInt(before.bytes, 10) {
		return false, err
	}
	if err := d.root.MkdirAll(path.Dir(c.object.file), 0o700); err != nil {
		return false, err
	}
	if err := os.Link(filepath.Join(e.dir, filepath.FromSlash(fileOf(c.blob))), filepath.Join(d.path, filepath.FromSlash(c.object.file))); err != nil {
		return false, nil // another file system, or too many links: copy the file instead
	}
	c.object.bytes, c.object.sum = before.bytes, before.sum
	return true, nil
}
