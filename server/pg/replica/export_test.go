package replica

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Check does what Watch does now and then.
func (r *Replica) Check(ctx context.Context, primary *pgxpool.Pool, all []*Replica) {
	r.check(ctx, primary, all)
}
