// Package s3server runs a real S3 server, versitygw, for tests.
package s3server

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Keys of the server.
const (
	AccessKey = "test-access-key"
	SecretKey = "test-secret-key"
	Region    = "us-east-1"
)

// binary is where the Makefile installs the server, from the root of the tree.
const binary = ".tools/bin/versitygw"

// patience is how long the server may take to answer.
const patience = time.Minute

// Server is one that runs.
type Server struct {
	Endpoint string // "http://127.0.0.1:port"
}

// Start runs a server until the test ends. It has no buckets.
func Start(t testing.TB) *Server {
	t.Helper()
	program := install(t)
	for range 3 { // another process may take the port first
		if s := try(t, program); s != nil {
			return s
		}
	}
	t.Fatal("the S3 server does not start")
	return nil
}

func try(t testing.TB, program string) *Server {
	t.Helper()
	address := freeAddress(t)
	var said bytes.Buffer
	command := exec.Command(program, "--port", address, "--health", "/health", "--region", Region, "--quiet", "posix", t.TempDir())
	command.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+AccessKey, "ROOT_SECRET_KEY="+SecretKey)
	command.Stdout, command.Stderr = &said, &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = command.Wait()
	}()
	if ready(t, "http://"+address+"/health", exited) {
		t.Cleanup(func() {
			_ = command.Process.Kill()
			<-exited
		})
		return &Server{Endpoint: "http://" + address}
	}
	_ = command.Process.Kill()
	<-exited
	t.Logf("the S3 server ended: %s", said.String())
	return nil
}

// ready asks until the server answers, or has ended.
func ready(t testing.TB, address string, exited <-chan struct{}) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return true
			}
		}
		select {
		case <-exited:
			return false
		case <-ctx.Done():
			return false
		case <-again.C:
		}
	}
}

func freeAddress(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// install has the Makefile build the server where it is missing, once for all
// test processes that ask.
func install(t testing.TB) string {
	t.Helper()
	root := root(t)
	program := filepath.Join(root, binary)
	if _, err := os.Stat(program); err == nil {
		return program
	}
	lock, err := os.Open(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("make", "-C", root, binary).CombinedOutput(); err != nil {
		t.Fatalf("build the S3 server: %v\n%s", err, output)
	}
	return program
}

// root is the folder of go.mod.
func root(t testing.TB) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	folder := filepath.Dir(file)
	for folder != filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		folder = filepath.Dir(folder)
	}
	t.Fatal("go.mod is not above " + file)
	return ""
}

// Bucket makes a bucket of this name.
func (s *Server) Bucket(t testing.TB, name string) {
	t.Helper()
	client, err := minio.New(strings.TrimPrefix(s.Endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(AccessKey, SecretKey, ""), Region: Region, BucketLookup: minio.BucketLookupPath,
	})
	if err == nil {
		err = client.MakeBucket(t.Context(), name, minio.MakeBucketOptions{Region: Region})
	}
	if err != nil {
		t.Fatal(fmt.Errorf("make bucket %s: %w", name, err))
	}
}
