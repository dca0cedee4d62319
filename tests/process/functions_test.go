package process

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// withFunctions returns a project with functions. One returns its process id, and streams until its
// process ends.
func withFunctions(t *testing.T) string {
	t.Helper()
	root := project(t)
	for name, text := range map[string]string{
		"config.toml":             "project_id = \"notes\"\n[functions.open]\nverify_jwt = false\n[functions.off]\nenabled = false\n[edge_runtime.secrets]\nGREETING = \"env(A_GREETING)\"\n",
		"functions/off/index.ts":  `Deno.serve(() => new Response('off'))`,
		"functions/open/index.ts": `Deno.serve(() => new Response(Deno.env.get('GREETING')))`,
		"functions/notes/index.ts": `
Deno.serve(async () => {
  const key = Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')
  const answer = await fetch(Deno.env.get('SUPABASE_URL') + '/rest/v1/notes?select=body&body=eq.two', { headers: { apikey: key } })
  return new Response(await answer.text() + (Deno.env.get('SUPABASE_DB_URL') ?? 'none').split(':')[0])
})`,
		"functions/lives/index.ts": `
Deno.serve(() => new Response(new ReadableStream({ start(out) {
  out.enqueue(new TextEncoder().encode(Deno.pid + '\n'))
} })))`,
	} {
		path := filepath.Join(root, "supabase", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // the server must be able to enter
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFunctionsOfProjectFolder(t *testing.T) {
	t.Parallel()
	s := start(t, withFunctions(t), "A_GREETING=hola")
	for _, tt := range []struct {
		path, key string
		status    int
		body      string
	}{
		{"/open", "", 200, "hola"},
		{"/notes", s.keys.Anon, 200, `[{"body":"two"}]postgres`},
		{"/notes", "", 401, `{"code":"missing_authorization","message":"Missing authorization header"}`},
		{"/off", s.keys.Anon, 404, `{"code":"function_not_found","message":"Requested function was not found"}`},
	} {
		if status, body := s.call(t, http.MethodPost, "/functions/v1"+tt.path, tt.key, ""); status != tt.status || body != tt.body {
			t.Errorf("%s: %d %s, want %d %s\n%s", tt.path, status, body, tt.status, tt.body, s.output)
		}
	}
}

// However the server ends, its functions end with it.
func TestFunctionsEndWithTheServer(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"stopped": syscall.SIGTERM, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, withFunctions(t))
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/functions/v1/lives", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("apikey", s.keys.Anon)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(response.Body).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil || syscall.Kill(pid, 0) != nil {
				t.Fatalf("process %q: %v", line, err)
			}
			if signal == syscall.SIGTERM {
				_ = response.Body.Close() // a stop waits for responses
			}
			_ = s.stop(t, signal)
			for isRunning(t, pid) {
				// The kernel ends it with a signal; the test's own timeout is the limit.
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		})
	}
}

// isRunning reports whether a process is there and has not ended.
func isRunning(t *testing.T, pid int) bool {
	t.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), ") ")
	return !strings.HasPrefix(after, "Z")
}
