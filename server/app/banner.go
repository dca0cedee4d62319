package app

import (
	"fmt"
	"strings"
	"time"

	"plaza/server/config"
)

// Banner returns the text that is shown after the start: addresses, keys and accounts.
func (a *App) Banner(took time.Duration) string {
	var out strings.Builder
	line := func(name, value string) { fmt.Fprintf(&out, "  %-14s %s\n", name, value) }
	fmt.Fprintf(&out, "\n  Plaza is ready (%s).\n\n", took.Round(10*time.Millisecond))
	line("Site and API", a.URL())
	if a.database.embedded != nil {
		line("PostgreSQL", fmt.Sprintf("127.0.0.1:%d, data in %s", a.cfg.PostgresPort, a.cfg.DataDir))
	} else {
		line("PostgreSQL", "DATABASE_URL")
	}
	if a.cfg.Env == config.Development && a.cfg.Auth.SMTP.Host == "" {
		line("Mail inbox", a.URL()+"/inbox")
	}
	line("anon key", a.secrets.Keys.Anon)
	if a.cfg.Env == config.Development {
		line("service key", a.secrets.Keys.Service)
		for _, account := range a.project.Accounts {
			line(account.Role, account.Email+"  "+account.Password)
		}
	}
	out.WriteString("\n  Ctrl-C stops.\n\n")
	return out.String()
}
