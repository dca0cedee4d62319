package transfer

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"plaza/storage/blob"
)

const (
	// copiers is the number of objects that are copied concurrently. A remote store has a high latency for each.
	copiers = 8
	// pageSize is the number of objects that a query lists.
	pageSize = 1000
	// reportEvery is the time between two reports of progress.
	reportEvery = 5 * time.Second
)

// listObjects lists the objects after a bucket and a key, with the names of their blobs.
const listObjects = `select bucket_id, name, coalesce(storage.blob_name(bucket_id, name, version), ''), coalesce(metadata ->> 'size', ''), coalesce(metadata ->> 'eTag', '')
	from storage.objects where (bucket_id, name collate "C") > ($1, $2) and bucket_id is not null order by bucket_id, name collate "C" limit $3`

// object is a row of storage.objects.
type object struct{ bucket, key, blob, size, etag string }

func (o object) String() string { return "object " + o.bucket + "/" + o.key }

// moveObjects copies the content of each object, unless the target has it.
func (m *mover) moveObjects(ctx context.Context) error {
	m.o.Progress("Copying the objects")
	c := &copier{m: m, told: time.Now()}
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(copiers)
	err := eachObject(groupCtx, m.target, func(o object) error {
		group.Go(func() error { return c.move(groupCtx, o) })
		return nil
	})
	return errors.Join(group.Wait(), err)
}

// eachObject calls each for all objects of a database, ordered by bucket and key.
func eachObject(ctx context.Context, conn *pgx.Conn, each func(object) error) error {
	var last object
	for {
		rows, err := conn.Query(ctx, listObjects, last.bucket, last.key, pageSize)
		if err != nil {
			return fmt.Errorf("list the objects: %w", err)
		}
		found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (o object, err error) {
			return o, row.Scan(&o.bucket, &o.key, &o.blob, &o.size, &o.etag)
		})
		if err != nil {
			return fmt.Errorf("list the objects: %w", err)
		}
		for _, o := range found {
			if err := each(o); err != nil {
				return err
			}
		}
		if len(found) < pageSize {
			return nil
		}
		last = found[len(found)-1]
	}
}

// copier copies objects concurrently.
type copier struct {
	m    *mover
	mu   sync.Mutex // guards the report
	told time.Time  // time of the last report of progress
}

// move copies an object unless it is there, and reports what is wrong with it.
func (c *copier) move(ctx context.Context, o object) error {
	problem, copied, err := c.copy(ctx, o)
	if err != nil {
		return fmt.Errorf("%s: %w", o, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if problem != "" {
		c.m.report.differ("%s: %s", o, problem)
		return nil
	}
	c.m.report.Objects++
	c.m.report.Bytes += copied
	if time.Since(c.told) > reportEvery {
		c.told = time.Now()
		c.m.o.Progress(fmt.Sprintf("%d objects so far", c.m.report.Objects))
	}
	return nil
}

// copy copies an object unless the target has its blob, and returns what is wrong with it and the number of copied bytes.
// Blobs are stored whole or not at all, so only the size of an existing blob is compared.
func (c *copier) copy(ctx context.Context, o object) (problem string, copied int64, err error) {
	if o.blob == "" {
		return "its name cannot be stored", 0, nil
	}
	info, err := c.m.to.Blobs.Stat(ctx, o.blob)
	if err == nil {
		return o.differs(info.Size, ""), 0, nil
	}
	if !errors.Is(err, blob.ErrNotFound) {
		return "", 0, err
	}
	content, err := c.m.from.Objects.Open(ctx, o.bucket, o.key)
	if errors.Is(err, ErrNoObject) {
		return "the source has no content of it", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = content.Close() }()
	sum := md5.New() // an ETag is an MD5 sum
	n, err := c.m.to.Blobs.Put(ctx, o.blob, io.TeeReader(content, sum), blob.UnknownSize)
	if err != nil {
		return "", 0, err
	}
	if problem = o.differs(n, hex.EncodeToString(sum.Sum(nil))); problem != "" {
		err = c.m.to.Blobs.Delete(ctx, o.blob) // the next run copies it again
	}
	return problem, n, err
}

// differs returns how content differs from an object's row, or "". The ETag of a multipart upload is longer than an MD5 sum
// and is not compared.
func (o object) differs(size int64, sum string) string {
	if o.size != "" && o.size != fmt.Sprint(size) {
		return fmt.Sprintf("its row says %s bytes, its content has %d", o.size, size)
	}
	etag := strings.Trim(o.etag, `"`)
	if sum != "" && len(etag) == len(sum) && etag != sum {
		return "its content does not have the checksum of its row"
	}
	return ""
}
