package transfer

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/dump"
	"plaza/storage/blob"
	"plaza/storage/core"
)

// hosted lists the tables and columns of the auth server and of storage that hosted projects have and whose rows
// are exported, one table a line.
// Source: migrations of supabase/auth and supabase/storage, August 2026.
//
//go:embed hosted.txt
var hosted string

// Names of the files of an export.
const (
	rolesFile  = "roles.sql"
	schemaFile = "schema.sql"
	dataFile   = "data.sql"
	objectsDir = "objects"
)

// Export writes a project to a new folder, in the form of supabase db dump: roles.sql, schema.sql, with the policies
// and triggers on tables of auth and storage, and data.sql; objects/ has the content of the objects. The report is
// valid also after an error.
//
// Errors: ErrDiffers if objects are missing in the export.
func Export(ctx context.Context, url string, blobs blob.Store, dir string, progress func(string)) (Report, error) {
	e := &exporter{progress: progress, blobs: blobs}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return e.report, fmt.Errorf("make the folder of the export, which must not exist: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return e.report, err
	}
	defer func() { _ = root.Close() }()
	e.root = root
	if err := e.run(ctx, url); err != nil {
		return e.report, err
	}
	if len(e.report.Differences) > 0 {
		return e.report, ErrDiffers
	}
	return e.report, nil
}

// exporter is the state of one Export.
type exporter struct {
	root     *os.Root
	source   *pgx.Conn
	blobs    blob.Store
	progress func(string)
	report   Report
}

func (e *exporter) run(ctx context.Context, url string) (err error) {
	if e.source, err = connect(ctx, url, "the database"); err != nil {
		return err
	}
	defer func() { _ = e.source.Close(context.WithoutCancel(ctx)) }()
	// Keeps the content of objects that have a row now from being deleted during the export.
	if _, err := core.Hold(ctx, e.source); err != nil {
		return err
	}
	for name, o := range map[string]dump.Options{rolesFile: {RoleOnly: true}, schemaFile: {}} {
		e.progress("Writing " + name)
		warn := func(warning string) { e.report.Warnings = append(e.report.Warnings, warning) }
		if err := e.write(name, func(to io.Writer) error { return dump.Write(ctx, e.source, to, o, warn) }); err != nil {
			return err
		}
	}
	tx, err := e.source.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if err := e.writeData(ctx); err != nil {
		return err
	}
	return e.writeObjects(ctx)
}

// write creates a file.
func (e *exporter) write(name string, content func(io.Writer) error) error {
	file, err := e.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	err = content(buffered)
	return errors.Join(err, buffered.Flush(), file.Close())
}

// writeData writes the rows of the project's tables, and of the platform's tables that hosted projects also have.
func (e *exporter) writeData(ctx context.Context) error {
	tables, err := listTablesOf(ctx, e.source)
	if err != nil {
		return err
	}
	theirs := make(map[string][]string)
	for line := range strings.Lines(hosted) {
		words := strings.Fields(line)
		theirs[words[0]] = words[1:]
	}
	tables = slices.DeleteFunc(tables, func(t table) bool {
		return slices.Contains(managed, t.schema) && t.schema != "cron" && theirs[t.String()] == nil
	})
	if err := e.report.warnOfFactors(ctx, e.source); err != nil {
		return err
	}
	return e.write(dataFile, func(to io.Writer) error {
		if _, err := io.WriteString(to, "SET session_replication_role = replica;\nSET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\n\n"); err != nil {
			return err
		}
		for i, t := range tables {
			e.progress(fmt.Sprintf("Table %d of %d: %s", i+1, len(tables), t))
			if columns, ok := theirs[t.String()]; ok {
				t.columns = slices.DeleteFunc(t.columns, func(column string) bool { return !slices.Contains(columns, column) })
			}
			rows, err := dump.WriteCopy(ctx, e.source, to, t.quoted(), t.columnList(), t.rows())
			if err != nil {
				return fmt.Errorf("%s: %w", t, err)
			}
			e.report.Tables++
			e.report.Rows += rows
		}
		sequences, err := readSequences(ctx, e.source)
		if err != nil {
			return err
		}
		for _, s := range sequences {
			if !slices.Contains(managed, s.name[0]) || s.name[0] == "cron" || s.name[1] == "refresh_tokens_id_seq" {
				fmt.Fprintf(to, "SELECT pg_catalog.setval('%s', %d, %t);\n", strings.ReplaceAll(s.name.Sanitize(), "'", "''"), s.last, s.called)
			}
		}
		_, err = io.WriteString(to, "\nRESET ALL;\n")
		return err
	})
}

// writeObjects writes the content of each object to objects/<bucket>/<key>.
func (e *exporter) writeObjects(ctx context.Context) error {
	e.progress("Writing the objects")
	return eachObject(ctx, e.source, func(o object) error {
		problem, err := e.writeObject(ctx, o)
		if problem != "" {
			e.report.differ("%s: %s", o, problem)
		} else if err == nil {
			e.report.Objects++
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o, err)
		}
		return nil
	})
}

func (e *exporter) writeObject(ctx context.Context, o object) (problem string, err error) {
	if o.blob == "" {
		return "it has no content", nil
	}
	content, err := e.blobs.Get(ctx, o.blob, 0, math.MaxInt64)
	if errors.Is(err, blob.ErrNotFound) {
		return "it has no content", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = content.Close() }()
	name := path.Join(objectsDir, o.bucket, o.key)
	if err := e.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return fileProblem(err)
	}
	file, err := e.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fileProblem(err)
	}
	n, err := io.Copy(file, content)
	e.report.Bytes += n
	return "", errors.Join(err, file.Close())
}

// fileProblem returns a description of an error if it means that a key cannot be the name of a file, such as "a" beside
// "a/b". It returns other errors unchanged.
func fileProblem(err error) (string, error) {
	var failed *fs.PathError
	if errors.As(err, &failed) && !errors.Is(err, fs.ErrPermission) {
		return "its key cannot be the name of a file here: " + failed.Err.Error(), nil
	}
	return "", err
}
