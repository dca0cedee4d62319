package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/rest/sqlgen"
	"plaza/tests/testkit/freeport"
)

// bareJob is what the bare server runs for every request.
type bareJob struct {
	Postgres    string
	Address     string
	Connections int
	Role        string
	Statements  []bareStatement
}

type bareStatement struct {
	SQL  string
	Args [][]byte
}

// measureBare measures a minimal server: net/http, a pool, and the same two statements in one pipeline,
// whose values it joins. Its loss against pgbench is the cost of HTTP and of one more process on
// this machine; the rest is ours.
func measureBare(ctx context.Context, s settings, server *server, w workload) (rate, error) {
	statements, err := w.statements(ctx, server)
	if err != nil {
		return rate{}, err
	}
	plain := make([]bareStatement, len(statements))
	for i, statement := range statements {
		plain[i] = bareStatement{statement.SQL, statement.Args}
	}
	job, err := json.Marshal(bareJob{server.caller, "127.0.0.1:" + freeport.Pick(), s.connections, w.role(), plain})
	if err != nil {
		return rate{}, err
	}
	command := exec.CommandContext(ctx, os.Args[0], "--bare="+string(job))
	command.Env = append(os.Environ(), "GOGC=400")
	ready, err := command.StdoutPipe()
	if err != nil {
		return rate{}, err
	}
	if err := command.Start(); err != nil {
		return rate{}, err
	}
	defer func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	}()
	var address string
	if _, err := fmt.Fscan(ready, &address); err != nil {
		return rate{}, fmt.Errorf("the bare server did not start: %w", err)
	}
	return load(ctx, s, server, w, address)
}

// serveBare runs the bare server in its own process.
func serveBare(ctx context.Context, text string) error {
	var job bareJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		return err
	}
	config, err := pgxpool.ParseConfig(job.Postgres)
	if err != nil {
		return err
	}
	config.MaxConns = int32(job.Connections)
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error { return prepareBare(ctx, conn.PgConn(), job) }
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", job.Address)
	if err != nil {
		return err
	}
	fmt.Println(job.Address)
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := answerBare(w, r, pool, job); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}))
}

// prepareBare prepares each statement under the role that runs it.
func prepareBare(ctx context.Context, conn *pgconn.PgConn, job bareJob) error {
	prepared := make([]*pgconn.StatementDescription, len(job.Statements))
	for i, statement := range job.Statements {
		var err error
		if prepared[i], err = conn.Prepare(ctx, strconv.Itoa(i), statement.SQL, nil); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "set role "+sqlgen.Ident(job.Role)).ReadAll(); err != nil {
			return err
		}
	}
	conn.CustomData()["prepared"] = prepared
	_, err := conn.Exec(ctx, "reset role").ReadAll()
	return err
}

func answerBare(w http.ResponseWriter, r *http.Request, pool *pgxpool.Pool, job bareJob) error {
	conn, err := pool.Acquire(r.Context())
	if err != nil {
		return err
	}
	defer conn.Release()
	raw := conn.Conn().PgConn()
	pipeline := raw.StartPipeline(r.Context())
	for i, prepared := range raw.CustomData()["prepared"].([]*pgconn.StatementDescription) {
		pipeline.SendQueryStatement(prepared, job.Statements[i].Args, nil, nil)
	}
	if err := pipeline.Sync(); err != nil {
		return err
	}
	for i := range job.Statements {
		result, err := pipeline.GetResults()
		if err != nil {
			return err
		}
		reader := result.(*pgconn.ResultReader)
		var body []byte
		for reader.NextRow() {
			body = append(body, bytes.Join(reader.Values(), []byte(","))...)
		}
		if _, err := reader.Close(); err != nil {
			return err
		}
		if i == len(job.Statements)-1 {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			_, _ = w.Write(body)
		}
	}
	return pipeline.Close()
}
