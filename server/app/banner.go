package app

import (
	"fmt"
	"strings"
	"time"

	"plaza/server/config"
)

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
