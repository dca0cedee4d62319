package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// rate is the result of a round of load.
type rate struct {
	perSecond float64
	p99       time.Duration // 99 of 100 requests took at most this long
}

// load sends the workload's request to address for one round. It writes constant bytes and parses
// as little of the response as possible, so that the generator needs little of the machine that it
// shares with the server.
func load(ctx context.Context, s settings, server *server, w workload, address string) (rate, error) {
	ctx, cancel := context.WithTimeout(ctx, s.round)
	defer cancel()
	took, err := generateLoad(ctx, address, w.request(server), s.clients, w.insert)
	if err != nil || len(took) == 0 {
		return rate{}, err
	}
	slices.Sort(took)
	return rate{float64(len(took)) / s.round.Seconds(), took[len(took)*99/100]}, nil
}

// request returns the workload as an HTTP request.
func (w workload) request(s *server) []byte {
	authorization := ""
	if w.user {
		authorization = "Authorization: Bearer " + s.token + "\r\n"
	}
	extra := ""
	if w.count {
		extra = "Prefer: count=exact\r\n"
	}
	if w.body != "" {
		extra += "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(w.body)) + "\r\n"
	}
	return fmt.Appendf(nil, "%s /rest/v1/%s HTTP/1.1\r\nHost: %s\r\napikey: %s\r\n%s%s\r\n%s",
		w.method(), w.path, s.address, s.secrets.Keys.Anon, authorization, extra, w.body)
}

var (
	lengthName = []byte("\r\nContent-Length: ")
	headEnd    = []byte("\r\n\r\n")
)

// answerSize returns the size of a response of which text has been received; 0 if it is not known
// yet. A response without rows is an error, unless it is expected to be empty.
func answerSize(text []byte, empty bool) (int, error) {
	end := bytes.Index(text, headEnd)
	if end < 0 {
		return 0, nil
	}
	head := text[:end+len("\r\n")]
	if !bytes.HasPrefix(head, []byte("HTTP/1.1 20")) {
		return 0, fmt.Errorf("%s", text)
	}
	_, rest, ok := bytes.Cut(head, lengthName)
	if !ok {
		return 0, errors.New("an answer without Content-Length")
	}
	number, _, _ := bytes.Cut(rest, []byte("\r\n"))
	length, err := strconv.Atoi(string(number))
	if err == nil && (length == len("[]") || length == 0 && !empty) {
		err = errors.New("an answer without rows")
	}
	return end + len(headEnd) + length, err
}
