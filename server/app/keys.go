package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/keys"
)

// SigningKeys lists, rotates or revokes the signing keys of access tokens, and prints
// the result. what is "", list, rotate or revoke; id is the key to revoke, and algorithm
// that of the new key.
func (d Database) SigningKeys(ctx context.Context, out io.Writer, what, id, algorithm string) (failed error) {
	conn, err := pgx.Connect(ctx, d.url)
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, conn.Close(context.WithoutCancel(ctx))) }()
	ring := keys.Keyring{Conn: conn, Config: d.cfg.Auth, Secret: []byte(d.secrets.sealSecret()), Now: time.Now}
	switch what {
	case "", "list":
		return listKeys(ctx, out, ring)
	case "rotate":
		key, err := ring.Rotate(ctx, algorithm)
		if err == nil {
			_, err = fmt.Fprintf(out, "%s key %s signs from %s on; the tokens of the others stay valid until they end\n",
				key.Algorithm, key.ID, key.From.Format(time.RFC3339))
		}
		return err
	case "revoke":
		if err := ring.Revoke(ctx, id); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "key %s and all tokens it signed are refused, by running servers within half a minute\n", id)
		return err
	}
	return fmt.Errorf("keys signing has no %q: use list, rotate or revoke ID", what)
}

func listKeys(ctx context.Context, out io.Writer, ring keys.Keyring) error {
	keys, err := ring.List(ctx)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		_, err := fmt.Fprintln(out, "none: access tokens are signed with JWT_SECRET")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, key := range keys {
		until := "until it is replaced"
		if key.Until != nil {
			until = "until " + key.Until.Format(time.RFC3339)
		}
		if _, err := fmt.Fprintf(table, "%s\t%s\tsigns from %s\tvalid %s\n", key.ID, key.Algorithm, key.From.Format(time.RFC3339), until); err != nil {
			return err
		}
	}
	return table.Flush()
}
