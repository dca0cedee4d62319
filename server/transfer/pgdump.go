package transfer

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// maxSchema bounds the bytes of a schema.
const maxSchema = 256 << 20

// PgDump is a Schema that a program of PostgreSQL reads. An empty PgDump is looked for: in PATH, and where
// Debian keeps it.
type PgDump string

// Read runs the program.
func (p PgDump) Read(ctx context.Context, source *pgx.Conn, snapshot string) (string, error) {
	var version int
	if err := source.QueryRow(ctx, "select current_setting('server_version_num')::int / 10000").Scan(&version); err != nil {
		return "", fmt.Errorf("ask the source for its version: %w", err)
	}
	program, err := p.find(ctx, version)
	if err != nil {
		return "", err
	}
	args := []string{"--schema-only", "--quote-all-identifiers", "--role=postgres", "--snapshot=" + snapshot}
	for _, schema := range managed {
		args = append(args, "--exclude-schema="+schema)
	}
	config := source.Config()
	dump := exec.CommandContext(ctx, program, args...)
	// A password of the command line would be visible to all users of the machine.
	dump.Env = append(os.Environ(), "PGHOST="+config.Host, "PGPORT="+strconv.Itoa(int(config.Port)), "PGUSER="+config.User, "PGPASSWORD="+config.Password, "PGDATABASE="+config.Database)
	if _, encrypted := source.PgConn().Conn().(*tls.Conn); encrypted {
		dump.Env = append(dump.Env, "PGSSLMODE=require")
	}
	text, said := limited{most: maxSchema}, limited{most: 64 << 10}
	dump.Stdout, dump.Stderr = &text, &said
	if err := dump.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", program, errors.Join(err, text.err), strings.TrimSpace(said.String()))
	}
	return restorable(text.String()), nil
}

// find returns a program that can read a server of a major version.
func (p PgDump) find(ctx context.Context, major int) (string, error) {
	candidates := []string{string(p)}
	if p == "" {
		candidates, _ = filepath.Glob("/usr/lib/postgresql/*/bin/pg_dump")
		slices.Reverse(candidates)
		if found, err := exec.LookPath("pg_dump"); err == nil {
			candidates = append([]string{found}, candidates...)
		}
	}
	var tried []string
	for _, program := range candidates {
		version, err := exec.CommandContext(ctx, program, "--version").Output()
		if err != nil {
			tried = append(tried, fmt.Sprintf("%s: %v", program, err))
			continue
		}
		if found := versionNumber.FindString(string(version)); atLeast(found, major) {
			return program, nil
		}
		tried = append(tried, program+" is "+strings.TrimSpace(string(version)))
	}
	return "", fmt.Errorf("the source is PostgreSQL %d, and there is no pg_dump of that or a newer version (%s): install Debian's postgresql-client-%d, name the program with --pg-dump, or give --schema-file with what supabase db dump has written",
		major, strings.Join(append(tried, "looked in PATH and /usr/lib/postgresql"), "; "), major)
}

var versionNumber = regexp.MustCompile(`\d+`)

func atLeast(found string, major int) bool {
	number, err := strconv.Atoi(found)
	return err == nil && number >= major
}

// limited is a buffer of a bounded size.
type limited struct {
	bytes.Buffer
	most int
	err  error
}

func (l *limited) Write(text []byte) (int, error) {
	if l.Len()+len(text) > l.most {
		l.err = fmt.Errorf("more than %d bytes", l.most)
		return 0, l.err
	}
	return l.Buffer.Write(text)
}
