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

	"github.com/jackc/pgx/v5"

	"plaza/server/doctor"
)

// ErrFindings says that the doctor found something.
var ErrFindings = errors.New("the doctor found something to fix")

// DoctorOptions are what the doctor is asked.
type DoctorOptions struct {
	JSON       bool // write {"findings": […]} and not text
	Production bool // hold the settings to what production wants, whatever PLAZA_ENV says
}

// Doctor lists unsafe and slow rules, and unsafe settings. Errors: ErrFindings when
// there are any.
func (d Database) Doctor(ctx context.Context, out io.Writer, o DoctorOptions) error {
	findings := []doctor.Finding{}
	err := d.connected(ctx, func(conn *pgx.Conn) error {
		found, err := doctor.Examine(ctx, conn, d.cfg.Rest.Schemas)
		findings = append(findings, found...)
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

// examineAccounts finds the accounts that PLAZA_ENV=production refuses to start with.
func (d Database) examineAccounts(ctx context.Context, conn *pgx.Conn) (findings []doctor.Finding, err error) {
	users, err := doctor.SampleUsers(ctx, conn, sampleOf(d.project))
	for _, said := range doctor.DescribeSample(users) {
		findings = append(findings, doctor.Finding{Code: "demo_account", Subject: "auth.users", Problem: said, Remedy: "plaza demo remove"})
	}
	return findings, err
}

// othersMayRead are the bits of a file's mode that let anybody but its owner at it.
const othersMayRead fs.FileMode = 0o077

func (d Database) examineSettings(production bool) (findings []doctor.Finding) {
	if production {
		for _, unsafe := range append(d.cfg.Unsafe(), d.project.Unsafe(d.cfg.Operator)...) {
			findings = append(findings, doctor.Finding{Code: "unsafe_setting", Subject: "settings", Problem: unsafe.Error(), Remedy: "set it in the environment; .env.example explains each"})
		}
	}
	path := filepath.Join(d.cfg.DataDir, secretsFile)
	if info, err := os.Stat(path); err == nil && info.Mode()&othersMayRead != 0 {
		findings = append(findings, doctor.Finding{
			Code: "secrets_readable", Subject: path, Problem: "users of this machine other than its owner may read the project's keys", Remedy: "chmod 600 " + path,
		})
	}
	findings = append(findings, examineDisk(d.cfg)...)
	return findings
}
