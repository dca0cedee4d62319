package config

import (
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	restsettings "plaza/server/rest/settings"
	"plaza/server/secret"
)

// Replicas configures streaming replicas of the database, for reads of the data API.
type Replicas struct {
	URLs   []secret.Text        `env:"URLS"`
	MaxLag restsettings.Seconds `env:"MAX_LAG" envDefault:"10"` // maximum replication lag
}

func (r Replicas) check() error {
	var wrong []error
	for i, url := range r.URLs {
		if _, err := pgx.ParseConfig(url.Reveal()); err != nil {
			wrong = append(wrong, fmt.Errorf("DATABASE_REPLICA_URLS: address %d cannot be read: use postgres://user:password@host:5432/database", i+1))
		}
	}
	if r.MaxLag <= 0 {
		wrong = append(wrong, fmt.Errorf("DATABASE_REPLICA_MAX_LAG is %s: use 1 or more seconds", time.Duration(r.MaxLag)))
	}
	return errors.Join(wrong...)
}

// Addresses returns the connection URLs of the replicas.
func (r Replicas) Addresses() []string {
	addresses := make([]string, len(r.URLs))
	for i, url := range r.URLs {
		addresses[i] = url.Reveal()
	}
	return addresses
}
