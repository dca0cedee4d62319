//go:build linux

package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	"plaza/tests/cluster/lab"
)

const (
	superuserPassword = "of-the-superuser"

	// postgresBinaries is where Debian's packages have PostgreSQL.
	postgresBinaries = "/usr/lib/postgresql/15/bin"

	// postgresUser runs PostgreSQL, Patroni, etcd and PgBouncer.
	postgresUser = "postgres"

	// diskSize is the size of a database's file system in memory, in bytes.
	diskSize = 2 << 30
)

// database is a node with PostgreSQL, Patroni and etcd.
type database struct {
	*lab.Node
	etcd, patroni *lab.Process
	known         bool // its etcd is a member already
}

// patroniConfig is Patroni's configuration of a node. PostgreSQL need not survive a power loss
// here, so fsync is off; a commit waits until a replica has it. It uses etcd's API of version 2: over the other one, Patroni
// before 3.0.3 takes the leader's key from its owner when a cut heals (patroni/patroni#2689), and loses what that
// has acknowledged. Debian 12 has 3.0.2.
const patroniConfig = `scope: plaza
name: %[1]s
restapi: {listen: "%[2]s:8008", connect_address: "%[2]s:8008"}
etcd: {hosts: [%[3]s]}
bootstrap:
  dcs:
    ttl: 8
    loop_wait: 1
    retry_timeout: 3
    failsafe_mode: true
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        wal_level: logical
        max_connections: 200
        max_wal_senders: 20
        max_replication_slots: 20
        wal_keep_size: 512MB
  initdb: [{encoding: UTF8}, {locale: C.UTF-8}, data-checksums]
postgresql:
  listen: "%[2]s:5432"
  connect_address: "%[2]s:5432"
  data_dir: %[4]s/disk/data
  bin_dir: ` + postgresBinaries + `
  pgpass: %[4]s/pgpass
  authentication:
    superuser: {username: postgres, password: ` + superuserPassword + `}
    replication: {username: replicator, password: of-the-replicator}
    rewind: {username: rewinder, password: of-the-rewinder}
  basebackup: [{checkpoint: fast}]
  parameters:
    unix_socket_directories: %[4]s
    password_encryption: scram-sha-256
    dynamic_shared_memory_type: mmap
    shared_buffers: 64MB
    fsync: "off"
    full_page_writes: "on"
    wal_sender_timeout: 5s
    wal_receiver_timeout: 5s
  pg_hba:
    - local all all trust
    - host all all 198.18.77.0/24 scram-sha-256
    - host replication replicator 198.18.77.0/24 scram-sha-256
`

// startDatabases starts all databases and waits until one of them is the primary.
func (c *cluster) startDatabases(ctx context.Context) error {
	for _, d := range c.databases {
		if err := d.Mount("disk", diskSize); err != nil {
			return err
		}
		if err := c.startDatabase(d); err != nil {
			return err
		}
	}
	return c.until(ctx, "a database is the primary", func(ctx context.Context) bool {
		primary, _ := c.members(ctx)
		return primary != nil
	})
}

// startDatabase starts, or starts again, what runs on a database's node.
func (c *cluster) startDatabase(d *database) (err error) {
	if err := c.startEtcd(d); err != nil {
		return err
	}
	var hosts []string
	for _, other := range c.databases {
		hosts = append(hosts, fmt.Sprintf(`"%s:2379"`, other.IP))
	}
	config := fmt.Sprintf(patroniConfig, d.Name, d.IP, strings.Join(hosts, ", "), d.Folder)
	if err := os.WriteFile(file(d.Node, "patroni.yml"), []byte(config), 0o644); err != nil {
		return err
	}
	d.patroni, err = d.Start(lab.Program{Name: "patroni", User: postgresUser, Args: []string{"patroni", file(d.Node, "patroni.yml")}})
	return err
}

func (c *cluster) startEtcd(d *database) (err error) {
	var members []string
	for _, other := range c.databases {
		members = append(members, fmt.Sprintf("%s=http://%s:2380", other.Name, other.IP))
	}
	state := "new"
	if d.known {
		state = "existing"
	}
	d.known = true
	d.etcd, err = d.Start(lab.Program{Name: "etcd", User: postgresUser, Args: []string{
		"etcd", "--enable-v2", "--name", d.Name, "--data-dir", file(d.Node, "etcd"),
		"--listen-client-urls", "http://" + d.IP + ":2379", "--advertise-client-urls", "http://" + d.IP + ":2379",
		"--listen-peer-urls", "http://" + d.IP + ":2380", "--initial-advertise-peer-urls", "http://" + d.IP + ":2380",
		"--initial-cluster", strings.Join(members, ","), "--initial-cluster-state", state,
	}})
	return err
}

// databaseURL is that of the primary, wherever it is.
func (c *cluster) databaseURL() string {
	hosts := make([]string, len(c.databases))
	for i, d := range c.databases {
		hosts[i] = d.IP + ":5432"
	}
	return fmt.Sprintf("postgres://postgres:%s@%s/postgres?target_session_attrs=read-write&sslmode=disable&connect_timeout=5",
		superuserPassword, strings.Join(hosts, ","))
}

// replicaURLs returns the URLs of databases that are replicas, or may become ones.
func replicaURLs(databases []*database) string {
	urls := make([]string, len(databases))
	for i, d := range databases {
		urls[i] = fmt.Sprintf("postgres://postgres:%s@%s:5432/postgres?sslmode=disable&connect_timeout=5", superuserPassword, d.IP)
	}
	return strings.Join(urls, ",")
}

// switchover asks Patroni to move the primary to another database.
func (c *cluster) switchover(ctx context.Context, from *database) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+from.IP+":8008/switchover",
		strings.NewReader(fmt.Sprintf(`{"leader":%q}`, from.Name)))
	if err != nil {
		return err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("switchover: %s", response.Status)
	}
	return nil
}

// synchronous returns the replica that commits wait for.
func (c *cluster) synchronous(ctx context.Context) (*database, error) {
	primary, err := c.primary(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := c.connect(ctx, primary.IP)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var name string
	if err := conn.QueryRow(ctx, "select application_name from pg_stat_replication where sync_state in ('sync', 'quorum') limit 1").Scan(&name); err != nil {
		return nil, fmt.Errorf("find the synchronous replica: %w", err)
	}
	return c.database(name), nil
}

// waitOtherPrimary waits until another database than this one is the primary.
func (c *cluster) waitOtherPrimary(ctx context.Context, than *database) error {
	return c.until(ctx, "another database is the primary", func(ctx context.Context) bool {
		primary, _ := c.members(ctx)
		return primary != nil && primary != than
	})
}
