package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/doctor"
	"plaza/server/pg"
	"plaza/server/walarchive"
)

// ErrFindings is returned if the doctor found something.
var ErrFindings = errors.New("the doctor found something to fix")

// DoctorOptions configures the doctor.
type DoctorOptions struct {
	JSON       bool // write {"findings": […]} instead of text
	Production bool // check the settings for production, whatever PLAZA_ENV is
}

// Doctor writes problems of the database, such as missing policies and indexes, of the archive and of the
// settings, each with a remedy.
//
// Errors: ErrFindings if there are any.
func (d Database) Doctor(ctx context.Context, out io.Writer, o DoctorOptions) error {
	findings := []doctor.Finding{}
	err := d.connected(ctx, func(conn *pgx.Conn) error {
		found, err := doctor.Examine(ctx, conn, d.cfg.Rest.Schemas)
		findings = append(findings, found...)
		if err == nil {
			found, err = d.examineArchive(ctx, conn)
			findings = append(findings, found...)
		}
		if err == nil && o.Production {
			found, err = d.examineAccounts(ctx, conn)
			findings = append(findings, found...)
		}
		return err
	})
	if err != nil {
		return err
	}
	findings = append(findings, d.examineSettings(o.Production)...)
	if o.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(map[string]any{"findings": findings})
	} else {
		for _, f := range findings {
			fmt.Fprintf(out, "%s  %s: %s\n  %s\n", f.Code, f.Subject, f.Problem, f.Remedy)
		}
	}
	switch {
	case err != nil:
		return err
	case len(findings) > 0:
		return fmt.Errorf("%w: %d", ErrFindings, len(findings))
	case !o.JSON:
		fmt.Fprintln(out, "nothing found")
	}
	return nil
}

// examine returns what the doctor finds in the running server's database.
func (a *App) examine(ctx context.Context) (found []doctor.Finding, err error) {
	err = a.db.AsService(ctx, pg.ServiceRole, func(tx pgx.Tx) error {
		found, err = doctor.Examine(ctx, tx, a.cfg.Rest.Schemas)
		return err
	})
	return found, err
}

// examineAccounts finds the accounts because of which the server does not start in production.
func (d Database) examineAccounts(ctx context.Context, conn *pgx.Conn) (findings []doctor.Finding, err error) {
	users, err := doctor.SampleUsers(ctx, conn, sampleOf(d.project))
	for _, problem := range doctor.DescribeSample(users) {
		findings = append(findings, doctor.Finding{Code: "demo_account", Subject: "auth.users", Problem: problem, Remedy: "plaza demo remove"})
	}
	return findings, err
}

// groupAndOthers is the permission bits of users other than the owner of a file.
const groupAndOthers fs.FileMode = 0o077

func (d Database) examineSettings(production bool) (findings []doctor.Finding) {
	if production {
		for _, unsafe := range append(d.cfg.CheckProduction(), d.project.CheckProduction(d.cfg.Operator)...) {
			findings = append(findings, doctor.Finding{Code: "unsafe_setting", Subject: "settings", Problem: unsafe.Error(), Remedy: "set it in the environment; .env.example explains each"})
		}
	}
	path := filepath.Join(d.cfg.DataDir, secretsFile)
	if info, err := os.Stat(path); err == nil && info.Mode()&groupAndOthers != 0 {
		findings = append(findings, doctor.Finding{
			Code: "secrets_readable", Subject: path, Problem: "users of this machine other than its owner may read the project's keys", Remedy: "chmod 600 " + path,
		})
	}
	findings = append(findings, examineDisk(d.cfg)...)
	return findings
}

// examineArchive finds what prevents a restore to a point in time.
func (d Database) examineArchive(ctx context.Context, conn *pgx.Conn) ([]doctor.Finding, error) {
	if d.cfg.Archive.Place == "" {
		return nil, nil
	}
	subject := d.cfg.Archive.Place
	run, err := walarchive.CurrentRun(ctx, conn)
	if err != nil {
		return nil, err
	}
	if run == "" {
		return []doctor.Finding{{
			Code: "archive_broken", Subject: subject, Problem: "the WAL of this database is not archived: the archive was never reached, or PostgreSQL removed WAL that was not archived yet",
			Remedy: "start the server, see its log, then make a backup",
		}}, nil
	}
	archive, closeArchive, err := openArchive(ctx, d.cfg)
	if err != nil {
		return []doctor.Finding{{Code: "archive_broken", Subject: subject, Problem: err.Error(), Remedy: "make the archive reachable: PostgreSQL keeps WAL for it, up to max_slot_wal_keep_size"}}, nil
	}
	defer closeArchive()
	state, err := archive.State(ctx, run)
	if err != nil {
		return []doctor.Finding{{Code: "archive_broken", Subject: subject, Problem: err.Error(), Remedy: "see the server's log"}}, nil
	}
	if !state.Based {
		return []doctor.Finding{{
			Code: "archive_without_backup", Subject: subject, Problem: "no backup was made since the archive of this database began, so no time can be restored", Remedy: "plaza backup DIR",
		}}, nil
	}
	if state.Gap {
		return []doctor.Finding{{
			Code: "archive_gap", Subject: subject, Problem: "WAL is missing in the archive: times after " + state.Covered.UTC().Format(time.RFC3339) + " cannot be restored", Remedy: "restart the server, then make a backup",
		}}, nil
	}
	return nil, nil
}
