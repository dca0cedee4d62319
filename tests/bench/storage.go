package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit/freeport"
)

const (
	objectSize  = 100 << 10 // bytes of an object that is sent or stored
	listed      = 1000      // objects of a page
	manyObjects = 1_000_000 // objects of the bucket that is listed
)

// runStorage measures the storage API: a public download compared with nginx on the same file, an
// upload compared with writing and syncing a file, and a page of a large bucket.
func runStorage(ctx context.Context, s settings) error {
	server, err := startServer(ctx, s, s.binary, false)
	if err != nil {
		return err
	}
	defer server.stop()
	idle, err := idleMemories(ctx, server)
	if err != nil {
		return err
	}
	content := make([]byte, objectSize)
	for i := range content {
		content[i] = byte(i * i >> 3)
	}
	if err := server.storePicture(ctx, content); err != nil {
		return err
	}
	fmt.Printf("\n%d clients, %d cores, %s, %d turns of %s; medians\n\n", s.clients, runtime.NumCPU(), runtime.Version(), s.rounds, s.round)
	fmt.Printf("%-42s %10s %10s %9s %14s\n", "objects of 100 KB", "other/s", "plaza/s", "ratio", "server µs/req")
	work := []func() error{
		func() error { return measureDownload(ctx, s, server, content) },
		func() error { return measureUpload(ctx, s, server, content) },
		func() error { return measureList(ctx, s, server) },
	}
	if s.against != "" {
		work = work[:1] // the reference sides have no versions
	}
	for _, measure := range work {
		if err := measure(); err != nil {
			return err
		}
	}
	loaded, err := server.memory()
	if err != nil {
		return err
	}
	fmt.Printf("memory of the server: %s idle, %s after the load\n", idle[0], loaded)
	return nil
}

// picture is the path of a public object.
const picture = "/storage/v1/object/public/open/picture"

func (s *server) storePicture(ctx context.Context, content []byte) error {
	return errors.Join(s.store(ctx, "bucket", "application/json", []byte(`{"name":"open","public":true}`)),
		s.store(ctx, "object/open/picture", "image/png", content))
}

// store sends a POST to the storage API, with full rights.
func (s *server) store(ctx context.Context, path, kind string, body []byte) error {
	_, err := s.storage(ctx, path, kind, body)
	return err
}

func (s *server) storage(ctx context.Context, path, kind string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.address+"/storage/v1/"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+s.secrets.Keys.Service)
	request.Header.Set("Content-Type", kind)
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %d %s", path, response.StatusCode, text)
	}
	return text, nil
}

// compareSides lets two sides do the same work alternately, after a warm-up round, and prints their rates.
// other may be nil.
func (s *server) compareSides(ctx context.Context, run settings, name string, other, ours func(context.Context) (float64, error)) error {
	var others, rates, spent []float64
	for round := range run.rounds + 1 {
		reference := 0.0
		if other != nil {
			var err error
			if reference, err = other(ctx); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		before, err := s.cpu()
		if err != nil {
			return err
		}
		rate, err := ours(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		after, err := s.cpu()
		if err != nil {
			return err
		}
		if round > 0 {
			others, rates = append(others, reference), append(rates, rate)
			spent = append(spent, float64((after-before).Microseconds())/(rate*run.round.Seconds()))
		}
	}
	reference, ratio := "", ""
	if other != nil {
		reference, ratio = fmt.Sprintf("%.0f", median(others)), fmt.Sprintf("%.2f", median(rates)/median(others))
	}
	fmt.Printf("%-42s %10s %10.0f %9s %14.0f\n", name, reference, median(rates), ratio, median(spent))
	return nil
}

func measureDownload(ctx context.Context, s settings, server *server, content []byte) error {
	get := func(address, path string) func(context.Context) (float64, error) {
		request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, address)
		return func(ctx context.Context) (float64, error) {
			ctx, cancel := context.WithTimeout(ctx, s.round)
			defer cancel()
			took, err := generateLoad(ctx, address, request, s.clients, false)
			return float64(len(took)) / s.round.Seconds(), err
		}
	}
	ours := get(server.address, picture)
	if s.against != "" {
		before, err := startServer(ctx, s, s.against, false)
		if err != nil {
			return err
		}
		defer before.stop()
		if err := before.storePicture(ctx, content); err != nil {
			return err
		}
		return server.compareSides(ctx, s, "public download, compared with the other server", get(before.address, picture), ours)
	}
	program, err := exec.LookPath("nginx")
	if err != nil {
		return server.compareSides(ctx, s, "public download (nginx not found)", nil, ours)
	}
	address, stop, err := startNginx(ctx, program, content)
	if err != nil {
		return err
	}
	defer stop()
	return server.compareSides(ctx, s, "public download, compared with nginx", get(address, "/picture"), ours)
}

// nginxConfig serves a folder as nginx's manual recommends for static files, without an access log,
// with a worker for each core.
const nginxConfig = `
daemon off; worker_processes auto; error_log stderr; pid %[1]s/pid;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
  client_body_temp_path %[1]s/a; proxy_temp_path %[1]s/b; fastcgi_temp_path %[1]s/c; uwsgi_temp_path %[1]s/d; scgi_temp_path %[1]s/e;
  server { listen %[2]s; root %[1]s; }
}`

// startNginx serves a file as /picture.
func startNginx(ctx context.Context, program string, content []byte) (address string, stop func(), err error) {
	folder, err := os.MkdirTemp("", "plaza-bench-nginx")
	if err != nil {
		return "", nil, err
	}
	address = "127.0.0.1:" + freeport.Pick()
	config := filepath.Join(folder, "nginx.conf")
	if err := errors.Join(os.Chmod(folder, 0o755), // nginx's own user reads it
		os.WriteFile(filepath.Join(folder, "picture"), content, 0o644),
		os.WriteFile(config, fmt.Appendf(nil, nginxConfig, folder, address), 0o600)); err != nil {
		return "", nil, err
	}
	process := exec.CommandContext(ctx, program, "-c", config, "-e", "stderr")
	process.Cancel = func() error { return process.Process.Signal(os.Interrupt) }
	var complaints bytes.Buffer
	process.Stderr = &complaints
	if err := process.Start(); err != nil {
		return "", nil, err
	}
	ended := make(chan struct{})
	go func() { _ = process.Wait(); close(ended) }()
	stop = func() {
		_ = process.Process.Signal(os.Interrupt)
		<-ended
		_ = os.RemoveAll(folder)
	}
	for {
		if connection, err := new(net.Dialer).DialContext(ctx, "tcp", address); err == nil {
			return address, stop, connection.Close()
		}
		select {
		case <-ended:
			return "", nil, fmt.Errorf("nginx did not start: %s", complaints.String())
		case <-ctx.Done():
			return "", nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// measureUpload lets the other side do the minimum that an upload requires: bytes in a file that
// survives a power loss.
func measureUpload(ctx context.Context, s settings, server *server, content []byte) error {
	folder, err := os.MkdirTemp(server.folder, "written")
	if err != nil {
		return err
	}
	var number atomic.Int64
	return server.compareSides(ctx, s, "upload, compared with write and fsync",
		func(ctx context.Context) (float64, error) {
			return runWorkers(ctx, s.round, s.clients, func(context.Context, int) error {
				return writeAndSync(filepath.Join(folder, strconv.FormatInt(number.Add(1), 10)), content)
			})
		},
		func(ctx context.Context) (float64, error) {
			return runWorkers(ctx, s.round, s.clients, func(context.Context, int) error {
				return server.store(context.WithoutCancel(ctx), "object/open/"+strconv.FormatInt(number.Add(1), 10), "image/png", content)
			})
		})
}

func writeAndSync(name string, content []byte) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// fillBucketSQL creates a bucket of many objects, in a hundred folders; their bytes do not exist.
const fillBucketSQL = `
insert into storage.buckets (id, name, public) values ('many', 'many', true);
set session_replication_role = replica;
insert into storage.objects (bucket_id, name, version, metadata)
  select 'many', 'folder-' || n %% 100 || '/object-' || n, n::text, '{"size": 1, "mimetype": "image/png"}'
  from generate_series(1, %d) n;
reset session_replication_role;
analyze storage.objects`

func measureList(ctx context.Context, s settings, server *server) error {
	database, err := pgx.Connect(ctx, server.postgres)
	if err != nil {
		return err
	}
	_, err = database.Exec(ctx, fmt.Sprintf(fillBucketSQL, manyObjects))
	if err := errors.Join(err, database.Close(ctx)); err != nil {
		return err
	}
	for name, work := range map[string]struct{ path, body string }{
		"list 1,000 of 1,000,000, v1": {"object/list/many", `{"prefix":"folder-7","limit":%d,"offset":0}`},
		"list 1,000 of 1,000,000, v2": {"object/list-v2/many", `{"prefix":"folder-7/","limit":%d,"with_delimiter":true}`},
	} {
		one := func(ctx context.Context, _ int) error {
			text, err := server.storage(context.WithoutCancel(ctx), work.path, "application/json", fmt.Appendf(nil, work.body, listed))
			if err != nil {
				return err
			}
			return checkListed(text)
		}
		if err := server.compareSides(ctx, s, name, nil, func(ctx context.Context) (float64, error) {
			return runWorkers(ctx, s.round, s.clients, one)
		}); err != nil {
			return err
		}
	}
	return nil
}

// checkListed fails for a page that is not full: v1 returns a list, v2 a list in an object.
func checkListed(text []byte) error {
	var page struct{ Objects []json.RawMessage }
	err := json.Unmarshal(text, &page.Objects)
	if err != nil {
		err = json.Unmarshal(text, &page)
	}
	if err == nil && len(page.Objects) != listed {
		err = fmt.Errorf("a page of %d objects", len(page.Objects))
	}
	return err
}
