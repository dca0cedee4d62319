package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// load gives requests a second. It writes the same bytes again and again and
// reads no more of the answer than it must, so that the generator takes little
// of the machine it shares with the server.
func load(ctx context.Context, s settings, server *server, w workload, address string) (float64, error) {
	request, err := w.request(server)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.round)
	defer cancel()
	var done atomic.Int64
	failures := make(chan error, s.clients)
	var workers sync.WaitGroup
	began := time.Now()
	for range s.clients {
		workers.Go(func() {
			if err := client(ctx, address, request, w.insert, &done); err != nil {
				failures <- err
			}
		})
	}
	workers.Wait()
	close(failures)
	if err := <-failures; err != nil {
		return 0, err
	}
	return float64(done.Load()) / time.Since(began).Seconds(), nil
}

func (w workload) request(s *server) ([]byte, error) {
	authorization := ""
	if w.user {
		token, err := s.token()
		if err != nil {
			return nil, err
		}
		authorization = "Authorization: Bearer " + token + "\r\n"
	}
	extra := ""
	if w.count {
		extra = "Prefer: count=exact\r\n"
	}
	if w.body != "" {
		extra += "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(w.body)) + "\r\n"
	}
	return fmt.Appendf(nil, "%s /rest/v1/%s HTTP/1.1\r\nHost: %s\r\napikey: %s\r\n%s%s\r\n%s",
		w.method(), w.path, s.address, s.secrets.Keys.Anon, authorization, extra, w.body), nil
}

func client(ctx context.Context, address string, request []byte, empty bool, done *atomic.Int64) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	reader := bufio.NewReaderSize(conn, 64<<10)
	for ctx.Err() == nil {
		if _, err := conn.Write(request); err != nil {
			return err
		}
		if err := skipAnswer(reader, empty); err != nil {
			return err
		}
		done.Add(1)
	}
	return nil
}

var lengthName = []byte("Content-Length: ")

func skipAnswer(reader *bufio.Reader, empty bool) error {
	status, err := reader.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 20")) {
		rest, _ := reader.Peek(min(reader.Buffered(), 2000))
		return fmt.Errorf("%s%s", status, rest)
	}
	length := -1
	for {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			break
		}
		if value, ok := bytes.CutPrefix(line, lengthName); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	if length < 0 || length == len("[]") || length == 0 && !empty {
		return errors.New("an answer without rows, or without Content-Length")
	}
	_, err = io.CopyN(io.Discard, reader, int64(length))
	return err
}
