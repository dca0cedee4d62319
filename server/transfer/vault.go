package transfer

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	// Null: there is no vault.
	readableVault = `select has_table_privilege(to_regclass('vault.decrypted_secrets'), 'select')`
	readSecrets   = `select coalesce(name, ''), coalesce(description, ''), decrypted_secret from vault.decrypted_secrets where decrypted_secret is not null order by created_at, id`
	// A secret that exists is not created again, so that an import can be repeated.
	addSecret = `select vault.create_secret($3, nullif($1, ''), $2)
		where not exists (select from vault.decrypted_secrets s where coalesce(s.name, '') = $1 and coalesce(s.description, '') = $2 and s.decrypted_secret = $3)`
)

// moveSecrets creates the secrets of the source's vault in the target, encrypted with its key. They get new ids.
func (m *mover) moveSecrets(ctx context.Context) error {
	var theirs, ours *bool
	if err := m.source.QueryRow(ctx, readableVault).Scan(&theirs); err != nil || theirs == nil {
		return err
	}
	if err := m.target.QueryRow(ctx, readableVault).Scan(&ours); err != nil {
		return err
	}
	if !*theirs || ours == nil || !*ours {
		m.report.Warnings = append(m.report.Warnings, "the secrets of the vault were not moved, as one of the vaults cannot be read")
		return nil
	}
	m.o.Progress("Moving the secrets of the vault")
	rows, err := m.source.Query(ctx, readSecrets)
	if err != nil {
		return fmt.Errorf("read the vault of the source: %w", err)
	}
	type secret struct{ name, description, value string }
	secrets, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s secret, err error) {
		return s, row.Scan(&s.name, &s.description, &s.value)
	})
	if err != nil {
		return fmt.Errorf("read the vault of the source: %w", err)
	}
	for _, s := range secrets {
		if _, err := m.target.Exec(ctx, addSecret, s.name, s.description, s.value); err != nil {
			return fmt.Errorf("add the secret %q to the vault: %w", s.name, err)
		}
	}
	return nil
}
