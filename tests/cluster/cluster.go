//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/tests/cluster/lab"
)

// The nodes. etcd runs beside PostgreSQL, as it does where there are three machines for a database.
const (
	proxyNode   = "proxy"   // haproxy, in front of the servers and of the primary
	poolNode    = "pool"    // PgBouncer
	objectsNode = "objects" // versitygw
	restNode    = "rest"    // `plaza rest`, which reaches the primary through PgBouncer
	clientNode  = "client"  // the load
)

// startTimeout is how long each part may take to start.
const startTimeout = 2 * time.Minute

// cluster has all nodes and what runs on them.
type cluster struct {
	*lab.Lab
	binary, tools string // plaza, and the folder of versitygw
	anon, service string // keys

	servers   []*server
	databases []*database
	pool      *lab.Process
	objects   *lab.Process
	http      *http.Client // from the client's node

	moves atomic.Int64 // how often the primary was moved or ended
}

func newCluster(ctx context.Context, binary, tools string, servers, databases int) (*cluster, error) {
	names := []string{proxyNode, poolNode, objectsNode, restNode, clientNode}
	for i := range servers {
		names = append(names, fmt.Sprint("app", i+1))
	}
	for i := range databases {
		names = append(names, fmt.Sprint("db", i+1))
	}
	nodes, err := lab.New(ctx, names...)
	if err != nil {
		return nil, err
	}
	c := &cluster{Lab: nodes, binary: binary, tools: tools}
	c.http = c.httpClient(requestTimeout)
	for i := range servers {
		c.servers = append(c.servers, &server{Node: nodes.Nodes[fmt.Sprint("app", i+1)], binary: binary})
	}
	for i := range databases {
		c.databases = append(c.databases, &database{Node: nodes.Nodes[fmt.Sprint("db", i+1)]})
	}
	return c, nil
}

// httpClient returns a client that connects from the client's node.
func (c *cluster) httpClient(timeout time.Duration) *http.Client {
	return &http.Client{Timeout: timeout, Transport: &http.Transport{
		DialContext: c.Nodes[clientNode].DialContext, MaxIdleConnsPerHost: clients, IdleConnTimeout: 20 * time.Second,
	}}
}

// start starts all parts and waits until all are ready.
func (c *cluster) start(ctx context.Context) error {
	if err := c.startObjects(); err != nil {
		return err
	}
	if err := c.startDatabases(ctx); err != nil {
		return err
	}
	if err := c.startPool(); err != nil {
		return err
	}
	if err := c.prepareServers(ctx); err != nil {
		return err
	}
	for _, s := range c.servers {
		s.replicas = replicaURLs(c.databases)
		if err := c.startServer(s); err != nil {
			return err
		}
	}
	if err := c.startProxy(); err != nil {
		return err
	}
	// plaza rest reads the schema once, when it starts: there is no LISTEN behind PgBouncer.
	if err := c.waitServer(ctx, c.servers[0]); err != nil {
		return err
	}
	if err := c.startRest(); err != nil {
		return err
	}
	return c.waitHealthy(ctx)
}

// waitHealthy waits until all servers, all databases and the object storage are in use.
func (c *cluster) waitHealthy(ctx context.Context) error {
	for _, s := range c.servers {
		if err := c.waitServer(ctx, s); err != nil {
			return err
		}
	}
	if err := c.until(ctx, "plaza rest answers", func(ctx context.Context) bool {
		status, _ := c.get(ctx, c.restURL()+"/visible")
		return status == http.StatusOK
	}); err != nil {
		return err
	}
	if err := c.until(ctx, "a primary has its replicas, one of them synchronous", func(ctx context.Context) bool {
		primary, replicas := c.members(ctx)
		return primary != nil && len(replicas) == len(c.databases)-1 && c.hasSynchronous(ctx, primary)
	}); err != nil {
		return err
	}
	return c.until(ctx, "the proxy uses all servers", func(ctx context.Context) bool {
		status, text := c.get(ctx, "http://"+c.Nodes[proxyNode].IP+":8404/;csv")
		return status == http.StatusOK && strings.Count(text, "\nservers,app") == len(c.servers) && countUp(text) == len(c.servers)
	})
}

// countUp returns how many servers haproxy's statistics call UP.
func countUp(csv string) (up int) {
	for line := range strings.Lines(csv) {
		if strings.HasPrefix(line, "servers,app") && strings.Contains(line, ",UP,") {
			up++
		}
	}
	return up
}

func (c *cluster) url() string { return "http://" + c.Nodes[proxyNode].IP }

// get returns the response to a request from the client's node; the status is 0 without one.
func (c *cluster) get(ctx context.Context, url string) (status int, body string) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err.Error()
	}
	response, err := c.http.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err.Error()
	}
	return response.StatusCode, string(text)
}

// until waits until yes returns true. what describes the condition for the error.
//
// Errors: startTimeout has passed; a server has ended.
func (c *cluster) until(ctx context.Context, what string, yes func(context.Context) bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("not within %s: %s", startTimeout, what))
	defer cancel()
	for !yes(ctx) {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
		for _, s := range c.servers {
			if s.process != nil && !s.stopped {
				if log, ended := s.process.Ended(); ended {
					return fmt.Errorf("%s has ended: %s", s.Name, log)
				}
			}
		}
	}
	return nil
}

// connect connects to a database as its superuser, from the client's node. An empty address
// means the primary, wherever it is.
func (c *cluster) connect(ctx context.Context, address string) (*pgx.Conn, error) {
	url := c.databaseURL()
	if address != "" {
		url = fmt.Sprintf("postgres://postgres:%s@%s:5432/postgres?sslmode=disable", superuserPassword, address)
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.DialFunc = c.Nodes[clientNode].DialContext
	return pgx.ConnectConfig(ctx, config)
}

// members asks Patroni which database is the primary and which ones stream from it.
func (c *cluster) members(ctx context.Context) (primary *database, replicas []*database) {
	for _, node := range c.databases {
		status, text := c.get(ctx, "http://"+node.IP+":8008/cluster")
		var found struct {
			Members []struct{ Name, Role, State string }
		}
		if status != http.StatusOK || json.Unmarshal([]byte(text), &found) != nil {
			continue
		}
		for _, member := range found.Members {
			one := c.database(member.Name)
			switch {
			case one == nil:
			case member.Role == "leader" && member.State == "running":
				primary = one
			case strings.HasSuffix(member.Role, "replica") || strings.HasSuffix(member.Role, "standby"):
				if status, _ := c.get(ctx, "http://"+one.IP+":8008/replica"); status == http.StatusOK {
					replicas = append(replicas, one)
				}
			}
		}
		if primary != nil {
			if status, _ := c.get(ctx, "http://"+primary.IP+":8008/primary"); status == http.StatusOK {
				return primary, replicas
			}
		}
		primary, replicas = nil, nil
	}
	return nil, nil
}

// hasSynchronous reports whether commits wait for a replica. If they do not, a failover may lose some.
func (c *cluster) hasSynchronous(ctx context.Context, primary *database) bool {
	_, text := c.get(ctx, "http://"+primary.IP+":8008/cluster")
	return strings.Contains(text, `"sync_standby"`)
}

func (c *cluster) database(name string) *database {
	for _, d := range c.databases {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// errNoPrimary means that a fault was to begin while there was no primary.
var errNoPrimary = errors.New("there is no primary")

// primary returns the database that is the primary now.
func (c *cluster) primary(ctx context.Context) (*database, error) {
	if primary, _ := c.members(ctx); primary != nil {
		return primary, nil
	}
	return nil, errNoPrimary
}

// file returns the path of a node's file.
func file(n *lab.Node, name string) string { return filepath.Join(n.Folder, name) }
