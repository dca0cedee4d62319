package cluster

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// EnvCitus is the variable with the folder of the programs of a PostgreSQL that has Citus (docs/shards.md): tests then run
// on a coordinator with two workers.
const EnvCitus = "PLAZA_CITUS_BIN"

// EnvWorkers passes Citus's running workers to tests, as EnvURL does the coordinator: their superusers' URLs, separated by
// spaces.
const EnvWorkers = "TEST_CITUS_WORKERS"

const citusWorkers = 2

// citusSettings are for many databases with Citus at once, each of which has a maintenance process. It does nothing that
// connects to the other servers, whose databases could not be dropped meanwhile.
var citusSettings = map[string]string{
	"shared_preload_libraries":                    "citus",
	"max_worker_processes":                        "200",
	"max_prepared_transactions":                   "400",
	"citus.node_conninfo":                         "sslmode=disable",
	"citus.distributed_deadlock_detection_factor": "-1",
	"citus.recover_2pc_interval":                  "-1",
	"citus.enable_statistics_collection":          "off",
}

// Citus is a running coordinator of Citus and its workers, without Citus in any database yet.
type Citus struct {
	*Cluster // the coordinator
	workers  []*Cluster
}

// StartCitus starts a coordinator and its workers from a folder of programs. Their lifetimes are like that of Start's result.
func StartCitus(ctx context.Context, programs string) (c Citus, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Stop(ctx))
		}
	}()
	if c.Cluster, err = startCitusServer(ctx, programs); err != nil {
		return c, err
	}
	for range citusWorkers {
		worker, err := startCitusServer(ctx, programs)
		if err != nil {
			return c, err
		}
		c.workers = append(c.workers, worker)
	}
	return c, nil
}

// startCitusServer starts one server. The coordinator connects to workers as the role that runs a statement, most of which
// have no password, so each is trusted.
func startCitusServer(ctx context.Context, programs string) (*Cluster, error) {
	own := maps.Clone(settings)
	maps.Copy(own, citusSettings)
	return start(ctx, programs, own, func(dir string) error {
		own["hba_file"] = filepath.Join(filepath.Dir(dir), "hba.conf")
		return os.WriteFile(own["hba_file"], []byte("local all all trust\nhost all all 127.0.0.1/32 trust\n"), 0o644)
	})
}

// Environ returns the variables that pass the servers to tests.
func (c Citus) Environ() []string {
	urls := make([]string, len(c.workers))
	for i, worker := range c.workers {
		urls[i] = worker.URL()
	}
	return append(c.Cluster.Environ(), EnvWorkers+"="+strings.Join(urls, " "))
}

// Stop is like that of a single server.
func (c Citus) Stop(ctx context.Context) error {
	var err error
	for _, one := range append(c.workers, c.Cluster) {
		if one != nil {
			err = errors.Join(err, one.Stop(ctx))
		}
	}
	return err
}
