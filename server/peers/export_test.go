package peers

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Renew renews the row, as Run does every few seconds.
func (p *Peer) Renew(ctx context.Context, db *pgxpool.Pool) { p.renew(ctx, db) }
