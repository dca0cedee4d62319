package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"reflect"

	"github.com/jackc/pgx/v5"
)

// contextFunctionSQL creates a function that returns what a statement can find out about its caller and the
// request.
const contextFunctionSQL = `
create function statement_context() returns json language sql stable as $$
  select json_build_object(
    'headers', current_setting('request.headers')::json,
    'settings', array(select current_setting(name, true) from unnest(array[
      'role', 'request.jwt.claims', 'request.method', 'request.path', 'request.cookies', 'transaction_read_only', 'statement_timeout'
    ]) name))
$$;
`

// checkSameContext fails if a statement of the server sees a different context than one of pgbench.
func checkSameContext(ctx context.Context, s *server) error {
	for _, w := range []workload{{path: "rpc/statement_context"}, {path: "rpc/statement_context", user: true}, {path: "rpc/statement_context", body: "{}"}, {path: "rpc/statement_context", body: "{}", user: true}} {
		served, err := w.callHTTP(ctx, s)
		if err != nil {
			return err
		}
		direct, err := w.callDirectly(ctx, s)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(served, direct) {
			return fmt.Errorf("%s: the server sets %s, and pgbench would set %s", w.role(), served, direct)
		}
	}
	return nil
}

// callHTTP returns the response of a workload over HTTP.
func (w workload) callHTTP(ctx context.Context, s *server) (answer any, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.Write(w.request(s)); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, err
	}
	err = errors.Join(json.NewDecoder(response.Body).Decode(&answer), response.Body.Close())
	return answer, err
}

// callDirectly returns the function's result after the statements that pgbench sends before it.
func (w workload) callDirectly(ctx context.Context, s *server) (answer any, err error) {
	become, err := w.become(s)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, s.caller)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Conn().PgConn().ExecParams(ctx, become.SQL, become.Args, nil, nil, nil).Close(); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "select public.statement_context()").Scan(&answer)
	})
	return answer, err
}
