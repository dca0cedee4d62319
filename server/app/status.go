package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/joho/godotenv"

	"plaza/server/config"
	"plaza/server/jobs"
)

// Status is what clients need to know of a server: its addresses and keys. Operators also see the
// background jobs of all servers of the database.
type Status struct {
	groups []statusGroup
	jobs   []jobs.Row // empty until ReadJobs
}

type statusGroup struct {
	title string
	lines []statusLine
}

// statusLine is a value with its label, and its name as a variable.
// Source: the names and labels are those of `supabase status`.
type statusLine struct{ label, variable, value string }

// ErrNotStarted means that a project has no data folder yet.
var ErrNotStarted = errors.New("the project was never started")

// ReadStatus returns the status of a project.
//
// Errors: ErrNotStarted; those of LoadSecrets.
func ReadStatus(cfg config.Config) (Status, error) {
	if _, err := os.Stat(filepath.Join(cfg.DataDir, secretsFile)); errors.Is(err, fs.ErrNotExist) {
		return Status{}, ErrNotStarted
	}
	secrets, err := LoadSecrets(cfg, time.Now())
	if err != nil {
		return Status{}, err
	}
	return statusOf(cfg, secrets), nil
}

// ReadJobs reads the background jobs from the database of the status.
func (s *Status) ReadJobs(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.values()["DB_URL"])
	if err != nil {
		return err
	}
	s.jobs, err = jobs.List(ctx, conn)
	return errors.Join(err, conn.Close(ctx))
}

func statusOf(cfg config.Config, secrets Secrets) (s Status) {
	add := func(title string, lines ...statusLine) { s.groups = append(s.groups, statusGroup{title, lines}) }
	api, keys := cfg.PublicURL, secrets.Keys
	if cfg.Env == config.Development && cfg.Auth.SMTP.Host == "" {
		add("Development tools", statusLine{"Mail inbox", "MAILPIT_URL", api + "/inbox"}, statusLine{"", "INBUCKET_URL", api + "/inbox"})
	}
	add("APIs", statusLine{"Project URL", "API_URL", api}, statusLine{"REST", "REST_URL", api + "/rest/v1"}, statusLine{"Edge Functions", "FUNCTIONS_URL", api + "/functions/v1"})
	add("Database", statusLine{"URL", "DB_URL", databaseURL(cfg, secrets)})
	add("Authentication keys",
		statusLine{"Publishable", "PUBLISHABLE_KEY", keys.Publishable}, statusLine{"Secret", "SECRET_KEY", keys.Secret},
		statusLine{"anon", "ANON_KEY", keys.Anon}, statusLine{"service_role", "SERVICE_ROLE_KEY", keys.Service}, statusLine{"JWT secret", "JWT_SECRET", secrets.JWTSecret})
	if cfg.Storage.Protocol.Enabled {
		access, key := S3Keys(cfg, secrets)
		add("Storage (S3)",
			statusLine{"URL", "STORAGE_S3_URL", api + "/storage/v1/s3"}, statusLine{"Access Key", "S3_PROTOCOL_ACCESS_KEY_ID", access},
			statusLine{"Secret Key", "S3_PROTOCOL_ACCESS_KEY_SECRET", key}, statusLine{"Region", "S3_PROTOCOL_REGION", cfg.Storage.Region})
	}
	return s
}

func databaseURL(cfg config.Config, secrets Secrets) string {
	if given := cfg.DatabaseURL.Reveal(); given != "" {
		return given
	}
	address := url.URL{
		Scheme: "postgresql", User: url.UserPassword("postgres", secrets.PostgresPassword),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(cfg.PostgresPort)), Path: "/postgres",
	}
	return address.String()
}

// Write writes the status in a format: pretty, env or json.
func (s Status) Write(out io.Writer, format string) error {
	switch format {
	case "pretty":
		return s.writePretty(out)
	case "env":
		text, err := godotenv.Marshal(s.values())
		if err == nil {
			_, err = fmt.Fprintln(out, text)
		}
		return err
	case "json":
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(s.document())
	}
	return fmt.Errorf("no format %q: use pretty, env or json", format)
}

// document returns the values, and the jobs under "jobs", which is no name of a variable.
func (s Status) document() map[string]any {
	all := make(map[string]any)
	for name, value := range s.values() {
		all[name] = value
	}
	if len(s.jobs) > 0 {
		all["jobs"] = s.jobs
	}
	return all
}

func (s Status) values() map[string]string {
	values := make(map[string]string)
	for _, group := range s.groups {
		for _, line := range group.lines {
			values[line.variable] = line.value
		}
	}
	return values
}

func (s Status) writePretty(out io.Writer) error {
	for _, group := range s.groups {
		if _, err := fmt.Fprintf(out, "  %s\n", group.title); err != nil {
			return err
		}
		for _, line := range group.lines {
			if line.label == "" {
				continue
			}
			if _, err := fmt.Fprintf(out, "    %-15s %s\n", line.label, line.value); err != nil {
				return err
			}
		}
	}
	if len(s.jobs) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(out, "  Background jobs"); err != nil {
		return err
	}
	for _, job := range s.jobs {
		if _, err := fmt.Fprintf(out, "    %-19s %s\n", job.Name, describeJob(job)); err != nil {
			return err
		}
	}
	return nil
}

// describeJob describes a job in a line: which server runs it, and how its last run ended.
func describeJob(job jobs.Row) string {
	at := func(moment *time.Time) string { return moment.UTC().Format("2006-01-02 15:04:05") }
	text := "no server runs it"
	if job.Server != "" && job.Since != nil {
		text = job.Server + " since " + at(job.Since)
	}
	switch {
	case job.LastError != "" && job.LastEnded != nil:
		text += "; failed " + at(job.LastEnded) + ": " + job.LastError
	case job.LastEnded != nil:
		text += "; succeeded " + at(job.LastEnded)
	case job.LastStarted != nil:
		text += "; started " + at(job.LastStarted)
	}
	return text
}

// Banner returns the text that is shown after the start: addresses, keys and accounts. In production
// it has no secrets.
func (a *App) Banner(took time.Duration) string {
	var out strings.Builder
	line := func(name, value string) { fmt.Fprintf(&out, "    %-15s %s\n", name, value) }
	fmt.Fprintf(&out, "\n  Plaza is ready (%s).\n\n", took.Round(10*time.Millisecond))
	if a.cfg.Env == config.Development {
		_ = statusOf(a.cfg, a.secrets).writePretty(&out) // a strings.Builder takes everything
		for i, account := range a.project.Accounts {
			if i == 0 {
				out.WriteString("  Accounts\n")
			}
			line(account.Role, account.Email+"  "+account.Password)
		}
	} else {
		line("Project URL", a.cfg.PublicURL)
		line("Listens on", a.URL())
		line("anon", a.secrets.Keys.Anon)
	}
	if a.database.embedded != nil {
		fmt.Fprintf(&out, "\n  Data is in %s.\n", a.cfg.DataDir)
	}
	if a.watches() {
		out.WriteString("  New migrations are applied as they appear (PLAZA_WATCH=false: at the next start).\n")
	}
	out.WriteString("  Ctrl-C stops.\n\n")
	return out.String()
}
