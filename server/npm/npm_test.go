package npm

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRegistryFollowsNPMsConfiguration(t *testing.T) {
	folder, home, programs := t.TempDir(), t.TempDir(), t.TempDir()
	t.Chdir(folder)
	t.Setenv("HOME", home)
	t.Setenv("PATH", programs) // without npm
	t.Setenv("npm_config_registry", "")
	t.Setenv("HOST_OF_FOLDER", "folder.test")
	DefaultRegistry = ""
	t.Cleanup(func() { DefaultRegistry = "" })
	if _, err := Registry(t.Context()); !errors.Is(err, ErrRegistry) {
		t.Errorf("without any: %v", err)
	}
	write := func(path, text string, mode os.FileMode) {
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		name string
		set  func()
		want string
	}{
		{"the build's", func() { DefaultRegistry = "https://build.test/" }, "https://build.test"},
		{"npm's answer", func() { write(filepath.Join(programs, "npm"), "#!/bin/sh\necho http://npm.test/\n", 0o755) }, "http://npm.test"},
		{"the user's file", func() { write(filepath.Join(home, ".npmrc"), "a=b\nregistry = \"https://user.test/npm/\"\n", 0o600) }, "https://user.test/npm"},
		{"the folder's file", func() { write(".npmrc", "registry=https://${HOST_OF_FOLDER}/\n", 0o600) }, "https://folder.test"},
		{"the environment", func() { t.Setenv("npm_config_registry", "https://env.test/") }, "https://env.test"},
	}
	for _, step := range steps { // each wins over the ones before
		step.set()
		if got, err := Registry(t.Context()); got != step.want || err != nil {
			t.Errorf("%s: %q, %v", step.name, got, err)
		}
	}
	t.Setenv("npm_config_registry", "ftp://env.test/")
	if _, err := Registry(t.Context()); err == nil {
		t.Error("an address of another scheme is accepted")
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	routes := http.NewServeMux()
	routes.HandleFunc("GET /@a%2fb/latest", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"version":"1.2.3","dist":{"tarball":"http://x.test/b.tgz"}}`))
	})
	routes.HandleFunc("GET /empty/latest", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{}`)) })
	routes.HandleFunc("GET /long/latest", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"version":"1","x":"` + strings.Repeat("x", maxDescription) + `"}`))
	})
	server := httptest.NewServer(routes)
	t.Cleanup(server.Close)
	if got, err := Describe(t.Context(), server.Client(), server.URL, "@a/b", "latest"); err != nil || got.Version != "1.2.3" || got.Dist.Tarball != "http://x.test/b.tgz" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, name := range []string{"none", "empty", "long"} {
		if got, err := Describe(t.Context(), server.Client(), server.URL, name, "latest"); !errors.Is(err, ErrAnswer) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
