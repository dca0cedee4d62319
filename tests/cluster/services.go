//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"plaza/tests/cluster/lab"
	"plaza/tests/testkit/load"
)

// server is a node with a Plaza server.
type server struct {
	*lab.Node
	binary   string
	process  *lab.Process
	replicas string // URLs of those that it reads from
	stopped  bool   // on purpose
}

const (
	jwtSecret = "0123456789abcdef0123456789abcdef0123456789abcdef"
	s3Key     = "of-the-object-storage"
	port      = "54321"
)

// environ returns the settings of a server. They are those of production, with limits that a
// load from one address does not reach.
func (c *cluster) environ(s *server) []string {
	return []string{
		"PLAZA_ENV=production", "PLAZA_HOST=" + s.IP, "PLAZA_PORT=" + port, "PLAZA_DATA_DIR=" + file(s.Node, "data"),
		"SITE_URL=https://plaza.example", "API_EXTERNAL_URL=https://plaza.example", "PLAZA_TRUSTED_PROXIES=" + c.Nodes[proxyNode].IP,
		"PLAZA_ADMIN_ADDR=" + s.IP + ":9464", "PLAZA_DRAIN=3s",
		"DATABASE_URL=" + c.databaseURL(), "DATABASE_REPLICA_URLS=" + s.replicas, "DATABASE_ANSWER_TIMEOUT=5s", "DATABASE_FAILOVER_TIMEOUT=20s", "PGRST_DB_POOL=6", "JWT_SECRET=" + jwtSecret,
		"STORAGE_BACKEND=s3", "STORAGE_S3_BUCKET=plaza", "STORAGE_S3_CREATE_BUCKET=true", "STORAGE_S3_FORCE_PATH_STYLE=true",
		"STORAGE_S3_ENDPOINT=http://" + c.Nodes[objectsNode].IP + ":7070", "STORAGE_S3_ACCESS_KEY_ID=plaza", "STORAGE_S3_SECRET_ACCESS_KEY=" + s3Key,
		"REALTIME_BUS=" + s.IP + ":4248",
		"GOTRUE_SMTP_HOST=" + c.Nodes[clientNode].IP, "GOTRUE_SMTP_ADMIN_EMAIL=plaza@plaza.example", "GOTRUE_MAILER_AUTOCONFIRM=true",
		"GOTRUE_EXTERNAL_PHONE_ENABLED=false", "GOTRUE_RATE_LIMIT_TOKEN_REFRESH=1000000",
		"PLAZA_OPERATOR_NAME=Example SL", "PLAZA_OPERATOR_ADDRESS=Carrer Major 1, AD500 Andorra la Vella", "PLAZA_OPERATOR_EMAIL=hello@plaza.example",
	}
}

func (c *cluster) projectFolder() string { return filepath.Join(c.Folder, "project") }

// prepareServers writes the project that they serve, and gives all the same secrets.
func (c *cluster) prepareServers(ctx context.Context) error {
	migrations := filepath.Join(c.projectFolder(), "supabase", "migrations")
	if err := errors.Join(os.MkdirAll(migrations, 0o755),
		os.WriteFile(filepath.Join(c.projectFolder(), "supabase", "config.toml"), []byte("project_id = \"cluster\"\n"), 0o600),
		os.WriteFile(filepath.Join(migrations, "20260101000000_load.sql"), []byte(load.Migration+load.SharedMigration), 0o600)); err != nil {
		return err
	}
	for _, s := range c.servers {
		if err := os.Mkdir(file(s.Node, "data"), 0o755); err != nil {
			return err
		}
	}
	first := c.servers[0]
	show := exec.CommandContext(ctx, c.binary, "keys", "show")
	show.Env = append(os.Environ(), c.environ(first)...)
	output, err := show.CombinedOutput()
	if err != nil {
		return fmt.Errorf("plaza keys show: %w: %s", err, output)
	}
	for line := range strings.Lines(string(output)) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(line), " "); name {
		case "anon":
			c.anon = strings.TrimSpace(value)
		case "service_role":
			c.service = strings.TrimSpace(value)
		}
	}
	if c.anon == "" || c.service == "" {
		return fmt.Errorf("plaza keys show lacks a key: %s", output)
	}
	secrets, err := os.ReadFile(file(first.Node, "data/secrets.json"))
	if err != nil {
		return err
	}
	for _, s := range c.servers[1:] {
		if err := os.WriteFile(file(s.Node, "data/secrets.json"), secrets, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) startServer(s *server) (err error) {
	s.process, err = s.Start(lab.Program{Name: "plaza", Args: []string{s.binary, "serve", "--project", c.projectFolder()}, Env: c.environ(s)})
	s.stopped = false
	return err
}

func (c *cluster) waitServer(ctx context.Context, s *server) error {
	return c.until(ctx, s.Name+" is ready", func(ctx context.Context) bool {
		status, _ := c.get(ctx, "http://"+s.IP+":"+port+"/ready")
		return status == http.StatusOK
	})
}

// startObjects starts the object storage.
func (c *cluster) startObjects() (err error) {
	node := c.Nodes[objectsNode]
	if err := os.MkdirAll(file(node, "objects"), 0o755); err != nil {
		return err
	}
	c.objects, err = node.Start(lab.Program{Name: "versitygw",
		Args: []string{filepath.Join(c.tools, "versitygw"), "--port", node.IP + ":7070", "--health", "/health", "--quiet", "posix", file(node, "objects")},
		Env:  []string{"ROOT_ACCESS_KEY=plaza", "ROOT_SECRET_KEY=" + s3Key},
	})
	return err
}

// poolConfig is PgBouncer's configuration. It connects to PostgreSQL as the role of its client,
// whose password it looks up.
const poolConfig = `[databases]
postgres = host=%[1]s port=5432
[pgbouncer]
listen_addr = %[2]s
listen_port = 6432
unix_socket_dir =
pool_mode = transaction
auth_type = scram-sha-256
auth_user = postgres
auth_file = %[3]s/users.txt
max_client_conn = 500
default_pool_size = 20
server_login_retry = 1
ignore_startup_parameters = extra_float_digits, search_path
`

// startPool starts PgBouncer, which reaches the primary through haproxy.
func (c *cluster) startPool() (err error) {
	node := c.Nodes[poolNode]
	config := fmt.Sprintf(poolConfig, c.Nodes[proxyNode].IP, node.IP, node.Folder)
	if err := errors.Join(os.WriteFile(file(node, "pgbouncer.ini"), []byte(config), 0o644),
		os.WriteFile(file(node, "users.txt"), []byte(`"postgres" "`+superuserPassword+`"`+"\n"), 0o644)); err != nil {
		return err
	}
	c.pool, err = node.Start(lab.Program{Name: "pgbouncer", User: postgresUser, Args: []string{"pgbouncer", file(node, "pgbouncer.ini")}})
	return err
}

func (c *cluster) restURL() string { return "http://" + c.Nodes[restNode].IP + ":3000" }

// startRest starts the data API alone, the only service that needs no session state in PostgreSQL.
func (c *cluster) startRest() error {
	_, err := c.Nodes[restNode].Start(lab.Program{Name: "rest", Args: []string{c.binary, "rest"}, Env: []string{
		"PGRST_DB_URI=postgres://postgres:" + superuserPassword + "@" + c.Nodes[poolNode].IP + ":6432/postgres", "PGRST_DB_SCHEMAS=public", "PGRST_DB_ANON_ROLE=anon",
		"PGRST_DB_PREPARED_STATEMENTS=false", "PGRST_DB_CHANNEL_ENABLED=false", "PGRST_JWT_SECRET=" + jwtSecret,
		"PGRST_SERVER_HOST=" + c.Nodes[restNode].IP, "PGRST_SERVER_PORT=3000",
	}})
	return err
}

// proxyConfig is haproxy's configuration. While no server is ready, since there is no primary,
// it uses those that are alive: they serve reads from replicas.
const proxyConfig = `global
  maxconn 2000
defaults
  mode http
  timeout connect 1s
  timeout client 410s
  timeout server 410s
  timeout tunnel 1h
  timeout check 3s
  retries 3
  option redispatch
frontend web
  bind %[1]s:80
  option forwardfor
  use_backend alive if { nbsrv(servers) eq 0 }
  default_backend servers
backend servers
  balance roundrobin
  option httpchk GET /ready
  default-server check inter 500ms fall 2 rise 1
%[2]sbackend alive
  balance roundrobin
  option httpchk GET /health
  default-server check inter 500ms fall 2 rise 1
%[2]sfrontend statistics
  bind %[1]s:8404
  stats enable
  stats uri /
listen primary
  mode tcp
  bind %[1]s:5432
  timeout client 1h
  timeout server 1h
  option httpchk GET /primary
  http-check expect status 200
  default-server check port 8008 inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
%[3]s`

func (c *cluster) startProxy() error {
	node := c.Nodes[proxyNode]
	var servers, databases strings.Builder
	for _, s := range c.servers {
		fmt.Fprintf(&servers, "  server %s %s:%s\n", s.Name, s.IP, port)
	}
	for _, d := range c.databases {
		fmt.Fprintf(&databases, "  server %s %s:5432\n", d.Name, d.IP)
	}
	config := fmt.Sprintf(proxyConfig, node.IP, servers.String(), databases.String())
	if err := os.WriteFile(file(node, "haproxy.cfg"), []byte(config), 0o644); err != nil {
		return err
	}
	_, err := node.Start(lab.Program{Name: "haproxy", Args: []string{"haproxy", "-db", "-f", file(node, "haproxy.cfg")}})
	return err
}
