package backup

import (
	"bufio"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"
	"strconv"

	"plaza/server/lazyregexp"
)

// object is a line of objects.csv. Lines are ordered by the blob's name.
type object struct {
	blob    string // name in the blob store
	file    string // file in the backup
	bytes   int64
	sum     string // SHA256 in hexadecimal; empty if the bytes are missing
	bucket  string // bucket and key are empty if no row refers to the blob any more
	key     string
	problem string // empty if there is none
}

var objectColumns = []string{"blob", "file", "bytes", "sha256", "bucket", "key", "problem"}

func (o object) line() []string {
	return []string{o.blob, o.file, strconv.FormatInt(o.bytes, 10), o.sum, o.bucket, o.key, o.problem}
}

// ownBlob matches the names that Plaza gives to blobs. Other blobs are named by their
// keys, which may not be valid file names.
var ownBlob = lazyregexp.New(`^[0-9a-f]{2}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// fileOf returns the file of a blob in a backup.
func fileOf(blob string) string {
	if ownBlob().MatchString(blob) {
		return path.Join(objectsFolder, blob)
	}
	sum := sha256.Sum256([]byte(blob))
	name := hex.EncodeToString(sum[:])
	return path.Join(objectsFolder, "named", name[:2], name)
}

// listReader reads objects.csv.
type listReader struct {
	file *os.File
	csv  *csv.Reader
	next object
	err  error // io.EOF at the end
}

// readList opens objects.csv.
//
// Errors: ErrAltered.
func readList(root *os.Root) (*listReader, error) {
	file, err := root.Open(listFile)
	if err != nil {
		return nil, altered(listFile, err.Error())
	}
	l := &listReader{file: file, csv: csv.NewReader(bufio.NewReader(file))}
	l.csv.FieldsPerRecord = len(objectColumns)
	l.csv.ReuseRecord = true
	if _, err := l.csv.Read(); err != nil {
		return nil, errors.Join(altered(listFile, err.Error()), file.Close())
	}
	l.advance()
	return l, nil
}

func (l *listReader) Close() error { return l.file.Close() }

// advance reads the next line.
func (l *listReader) advance() {
	fields, err := l.csv.Read()
	if err != nil {
		l.next, l.err = object{}, err
		return
	}
	l.next = object{blob: fields[0], file: fields[1], sum: fields[3], bucket: fields[4], key: fields[5], problem: fields[6]}
	l.next.bytes, l.err = strconv.ParseInt(fields[2], 10, 64)
}

// find returns the line of a blob. It must be called for blobs in ascending order.
func (l *listReader) find(blob string) (object, bool, error) {
	for l.err == nil && l.next.blob < blob {
		l.advance()
	}
	if l.err != nil && !errors.Is(l.err, io.EOF) {
		return object{}, false, altered(listFile, l.err.Error())
	}
	return l.next, l.err == nil && l.next.blob == blob, nil
}

// row is a row of core.ListBlobs.
type row struct {
	blob, size, etag, bucket, key string
}

// String returns the name of the object for messages.
func (r row) String() string {
	if r.bucket == "" {
		return "blob " + r.blob
	}
	return r.bucket + "/" + r.key + " (blob " + r.blob + ")"
}

// readRows calls each for every row of a file written by core.ListBlobs.
func readRows(file io.Reader, each func(row) error) error {
	lines := csv.NewReader(bufio.NewReader(file))
	lines.FieldsPerRecord = 5
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(row{fields[0], fields[1], fields[2], fields[3], fields[4]}); err != nil {
			return err
		}
	}
}

var plainMD5 = lazyregexp.New(`^"([0-9a-f]{32})"$`)

// differs describes how the bytes of a blob differ from its row. It returns "" if they
// agree or if the row has neither size nor MD5.
func (r row) differs(bytes int64, md5 string) string {
	if size, err := strconv.ParseInt(r.size, 10, 64); err == nil && size != bytes {
		return "the row says " + r.size + " bytes"
	}
	if etag := plainMD5().FindStringSubmatch(r.etag); etag != nil && etag[1] != md5 {
		return "the row says another MD5: " + etag[1]
	}
	return ""
}
