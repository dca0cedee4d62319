package edge_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// A WebSocket carries messages in both directions, and either side closes it.
func TestWebSockets(t *testing.T) {
	t.Parallel()
	k := start(t, defaults(t), map[string]string{"echo/index.ts": `
Deno.serve((request) => {
  const { socket, response } = Deno.upgradeWebSocket(request, { protocol: 'echo' })
  socket.onmessage = ({ data }) => data === 'close' ? socket.close(4001, 'asked to') : socket.send(typeof data === 'string' ? 'echo ' + data : data)
  socket.onclose = (event) => console.log('closed with', event.code)
  return response
})`}, nil)
	address := "ws" + strings.TrimPrefix(k.url, "http") + "/echo"
	dialer := ws.Dialer{Protocols: []string{"echo"}}
	var status ws.StatusError
	if _, _, _, err := dialer.Dial(t.Context(), address); !errors.As(err, &status) || status != http.StatusUnauthorized {
		t.Errorf("without a key: %v", err)
	}
	dial := func() net.Conn {
		t.Helper()
		conn, _, handshake, err := dialer.Dial(t.Context(), address+"?apikey="+k.keys.Anon)
		if err != nil || handshake.Protocol != "echo" {
			t.Fatalf("%+v %v", handshake, err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	conn := dial()
	for _, tt := range []struct {
		kind ws.OpCode
		want string
	}{{ws.OpText, "echo hello"}, {ws.OpBinary, "hello"}} {
		if err := wsutil.WriteClientMessage(conn, tt.kind, []byte("hello")); err != nil {
			t.Fatal(err)
		}
		if text, kind, err := wsutil.ReadServerData(conn); err != nil || kind != tt.kind || string(text) != tt.want {
			t.Errorf("%v %q %v", kind, text, err)
		}
	}
	if err := ws.WriteFrame(conn, ws.MaskFrame(ws.NewCloseFrame(ws.NewCloseFrameBody(4002, "enough")))); err != nil {
		t.Fatal(err)
	}
	k.until(t, `text="closed with 4002"`)
	conn = dial()
	if err := wsutil.WriteClientText(conn, []byte("close")); err != nil {
		t.Fatal(err)
	}
	var closed wsutil.ClosedError
	if _, _, err := wsutil.ReadServerData(conn); !errors.As(err, &closed) || closed.Code != 4001 || closed.Reason != "asked to" {
		t.Errorf("closed by the function: %v", err)
	}
}

// Responses are streamed.
func TestResponsesAreStreamed(t *testing.T) {
	t.Parallel()
	k := start(t, defaults(t), map[string]string{
		"events/index.ts": `
let next
Deno.serve((r) => {
  if (r.method === 'PUT') { next(); return new Response('told') }
  return new Response(new ReadableStream({ async start(out) {
    const text = new TextEncoder()
    out.enqueue(text.encode('one'))
    await new Promise((go) => { next = go })
    out.enqueue(text.encode('two'))
    out.close()
  } }), { headers: { 'content-type': 'text/event-stream' } })
})`,
	}, nil)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, k.url+"/events?apikey="+k.keys.Anon, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	part := make([]byte, 3)
	if _, err := io.ReadFull(response.Body, part); err != nil || string(part) != "one" {
		t.Fatalf("%q %v", part, err)
	}
	k.call(t, http.MethodPut, "/events", "", nil)
	if rest, err := io.ReadAll(response.Body); err != nil || string(rest) != "two" {
		t.Errorf("%q %v", rest, err)
	}
}

// A request's body reaches the function while it is sent. When the client goes away, the function's request is aborted.
func TestRequestsAreStreamed(t *testing.T) {
	t.Parallel()
	k := start(t, defaults(t), map[string]string{
		"body/index.ts": `Deno.serve(async (request) => {
  for await (const part of request.body.pipeThrough(new TextDecoderStream())) console.log('part', part)
  return new Response('read')
})`,
		"waits/index.ts": `Deno.serve(async (request) => {
  console.log('waiting')
  await new Promise((done) => request.signal.addEventListener('abort', done))
  console.log('aborted')
  return new Response()
})`,
		"streams/index.ts": `Deno.serve(() => new Response(new ReadableStream({
  start(out) { out.enqueue(new TextEncoder().encode('data: 1\n\n')) }, cancel() { console.log('cancelled') },
}), { headers: { 'content-type': 'text/event-stream' } }))`,
	}, nil)
	body, send := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, k.url+"/body?apikey="+k.keys.Anon, body)
		if err == nil {
			var response *http.Response
			if response, err = http.DefaultClient.Do(request); err == nil {
				_ = response.Body.Close()
			}
		}
		ended <- err
	}()
	for _, part := range []string{"one", "two"} {
		if _, err := io.WriteString(send, part); err != nil {
			t.Fatal(err)
		}
		k.until(t, `text="part `+part+`"`)
	}
	_ = send.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}

	for path, text := range map[string]string{"/waits": "aborted", "/streams": "cancelled"} {
		ctx, cancel := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, k.url+path+"?apikey="+k.keys.Anon, nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			if path == "/waits" {
				k.until(t, "text=waiting")
				cancel()
			}
		}()
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			if _, err := io.ReadFull(response.Body, make([]byte, 9)); err != nil {
				t.Error(err)
			}
			cancel()
			_ = response.Body.Close()
		}
		k.until(t, "text="+text)
		cancel()
	}
}
