//go:build linux

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"plaza/tests/cluster/lab"
)

// startReplicas starts the first database as a primary and the others as its replicas, without Patroni: nothing but
// PostgreSQL uses the processor time of these nodes, and no slow node is taken for a failed one.
func (c *cluster) startReplicas(ctx context.Context) error {
	primary := c.databases[0]
	password := file(primary.Node, "password")
	if err := os.WriteFile(password, []byte(superuserPassword), 0o644); err != nil {
		return err
	}
	if err := primary.Run(postgresProgram("initdb", "-D", file(primary.Node, "data"), "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8",
		"--auth=scram-sha-256", "--pwfile="+password)); err != nil {
		return err
	}
	hba, err := os.OpenFile(file(primary.Node, "data/pg_hba.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = hba.WriteString("host all all samenet scram-sha-256\nhost replication all samenet scram-sha-256\n")
	if err := errors.Join(err, hba.Close()); err != nil {
		return err
	}
	if err := c.startPostgres(ctx, primary); err != nil {
		return err
	}
	for _, d := range c.databases[1:] {
		copied := postgresProgram("pg_basebackup", "-h", primary.IP, "-U", "postgres", "-D", file(d.Node, "data"), "-R", "-X", "stream", "-c", "fast")
		copied.Env = []string{"PGPASSWORD=" + superuserPassword}
		if err := d.Run(copied); err != nil {
			return err
		}
		if err := c.startPostgres(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) startPostgres(ctx context.Context, d *database) error {
	_, err := d.Start(postgresProgram("postgres", "-D", file(d.Node, "data"), "-c", "listen_addresses="+d.IP, "-c", "unix_socket_directories="+d.Folder,
		"-c", "wal_level=logical", "-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "dynamic_shared_memory_type=mmap", "-c", "fsync=off"))
	if err != nil {
		return err
	}
	return c.until(ctx, d.Name+" accepts connections", func(ctx context.Context) bool {
		conn, err := c.connect(ctx, d.IP)
		if err != nil {
			return false
		}
		return conn.Close(ctx) == nil
	})
}

func postgresProgram(name string, args ...string) lab.Program {
	return lab.Program{Name: strings.TrimPrefix(name, "pg_"), User: postgresUser, Args: append([]string{filepath.Join(postgresBinaries, name)}, args...)}
}
