package rest

import "time"

// Config carries PostgREST's settings by their names and defaults.
type Config struct {
	Schemas         []string      `env:"DB_SCHEMAS" envDefault:"public"`                      // exposed schemas; the first is the default
	ExtraSearchPath []string      `env:"DB_EXTRA_SEARCH_PATH" envDefault:"public,extensions"` // looked up after the request's schema
	MaxRows         int64         `env:"DB_MAX_ROWS" envDefault:"0"`                          // most rows of one answer; 0 means no limit
	TxEnd           string        `env:"DB_TX_END" envDefault:"commit"`                       // commit, commit-allow-override, rollback, rollback-allow-override
	Pool            int32         `env:"DB_POOL" envDefault:"10"`                             // connections for requests
	AcquireTimeout  time.Duration `env:"DB_POOL_ACQUISITION_TIMEOUT" envDefault:"10s"`        // how long a request waits for a connection
	MaxBody         int64         `env:"MAX_BODY_BYTES" envDefault:"20971520"`                // largest request body in bytes (ours; PostgREST has none)
}
