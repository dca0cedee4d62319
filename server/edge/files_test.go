package edge_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plaza/server/edge"
)

// A function uses the import map that takes precedence.
func TestImportMaps(t *testing.T) {
	t.Parallel()
	const function = `import { word } from 'word'; Deno.serve(() => new Response(word))`
	words := func(files map[string]string) map[string]string {
		for _, name := range []string{"all", "own", "old", "configured", "beside"} {
			files["_words/"+name+".ts"] = fmt.Sprintf("export const word = %q", name)
		}
		return files
	}
	mapTo := func(prefix, name string) string {
		return fmt.Sprintf(`{ "imports": { "word": "%s_words/%s.ts", }, }`, prefix, name)
	}
	k := start(t, defaults(t), words(map[string]string{
		"deno.jsonc": mapTo("./", "all"), "plain/index.ts": function,
		"own/index.ts": function, "own/deno.json": mapTo("../", "own"), "own/import_map.json": mapTo("../", "old"),
		"old/index.ts": function, "old/import_map.json": `{ "imports": { "word": "../_words/old.ts" } }`,
		"configured/index.ts": function, "configured/deno.json": mapTo("../", "own"), "../maps/map.json": `{ "imports": { "word": "../functions/_words/configured.ts" } }`,
		"moved/src/main.ts": function, "moved/src/deno.json": mapTo("../../", "beside"), "moved/deno.json": mapTo("../", "own"),
		"jsx/index.tsx":   `const h = (tag: string, _: unknown, text: string) => tag + ' ' + text; Deno.serve(() => new Response(<b>text</b>))`,
		"jsx/deno.json":   `{ "compilerOptions": { "jsx": "react", "jsxFactory": "h" } }`,
		"broken/index.ts": function, "broken/deno.json": `{ imports`,
	}), func(f *edge.Folder, _ *edge.Deps) {
		f.Declared = map[string]edge.Declared{"configured": {ImportMap: "./maps/map.json"}, "moved": {Entrypoint: "functions/moved/src/main.ts"}, "jsx": {Entrypoint: "functions/jsx/index.tsx"}}
	})
	for path, want := range map[string]string{"/plain": "all", "/own": "own", "/old": "old", "/configured": "configured", "/moved": "beside", "/jsx": "b text"} {
		k.expect(t, path, 200, want)
	}
	k.expect(t, "/broken", 503, "BOOT_ERROR")

	k = start(t, defaults(t), words(map[string]string{
		"import_map.json": `{ "imports": { "word": "./_words/old.ts" } }`, "deno.json": mapTo("./", "all"), "plain/index.ts": function,
	}), nil)
	k.expect(t, "/plain", 200, "old")
	if err := os.Remove(filepath.Join(k.root, "functions/import_map.json")); err != nil {
		t.Fatal(err)
	}
	k.expect(t, "/plain", 200, "all")
}

// A function finds the packages of a package.json beside it, in the versions of a deno.lock, and in the
// registry that an .npmrc names.
func TestPackages(t *testing.T) {
	t.Parallel()
	versions := map[string][]byte{"1.0.0": packed(t, "1.0.0", "one"), "1.1.0": packed(t, "1.1.0", "one and a bit")}
	registry := newRegistry(t, versions)
	const function = `import { word } from '@own/word'; Deno.serve(() => new Response(word))`
	sum := sha512.Sum512(versions["1.0.0"])
	lock := `{ "version": "5", "specifiers": { "npm:@own/word@^1.0.0": "1.0.0" }, "npm": { "@own/word@1.0.0": { "integrity": "sha512-` +
		base64.StdEncoding.EncodeToString(sum[:]) + `" } } }`
	k := start(t, defaults(t), map[string]string{
		"packaged/index.ts": function, "packaged/package.json": `{ "dependencies": { "@own/word": "^1.0.0" } }`,
		"locked/index.ts": function, "locked/deno.json": `{ "imports": { "@own/word": "npm:@own/word@^1.0.0" } }`, "locked/deno.lock": lock,
		".npmrc": "@own:registry=" + registry + "\n" + strings.TrimPrefix(registry, "http:") + ":_authToken=${WORD_TOKEN}\n", ".env": "WORD_TOKEN=" + registryToken,
	}, nil)
	k.expect(t, "/packaged", 200, "one and a bit")
	if response, body := k.call(t, http.MethodPost, "/locked", "", nil); response.StatusCode != http.StatusOK || body != "one" {
		t.Errorf("%d %s\n%s", response.StatusCode, body, k.logText())
	}
	if text, err := os.ReadFile(filepath.Join(k.root, "functions/locked/deno.lock")); err != nil || string(text) != lock {
		t.Errorf("the project's lock file became %s %v", text, err)
	}
}

// registryToken is the token that newRegistry requires.
const registryToken = "a-token"

// newRegistry serves versions of a private package "@own/word", as npm's registry does.
func newRegistry(t *testing.T, versions map[string][]byte) string {
	t.Helper()
	var address string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+registryToken {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/@own/word" {
			all := map[string]any{}
			for version := range versions {
				all[version] = map[string]any{"name": "@own/word", "version": version, "dist": map[string]any{"tarball": address + "@own/word/-/word-" + version + ".tgz"}}
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"name": "@own/word", "dist-tags": map[string]any{"latest": "1.1.0"}, "versions": all})
			return
		}
		_, _ = w.Write(versions[strings.TrimSuffix(strings.TrimPrefix(filepath.Base(r.URL.Path), "word-"), ".tgz")])
	}))
	t.Cleanup(web.Close)
	address = web.URL + "/"
	return address
}

// packed returns the archive of a package that exports a word.
func packed(t *testing.T, version, word string) []byte {
	t.Helper()
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	archive := tar.NewWriter(compressed)
	for _, file := range []struct{ name, text string }{
		{"package.json", `{ "name": "@own/word", "version": "` + version + `", "type": "module", "main": "index.js" }`},
		{"index.js", fmt.Sprintf("export const word = %q", word)},
	} {
		if err := archive.WriteHeader(&tar.Header{Name: "package/" + file.name, Mode: 0o644, Size: int64(len(file.text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(file.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), compressed.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A function imports files of its project, and reads its static files, but no other file outside functions/.
func TestFilesOfTheProject(t *testing.T) {
	t.Parallel()
	const reads = `Deno.serve(async (r) => { try { return new Response(await Deno.readTextFile(await r.text())) } catch (e) { return new Response(e.name, { status: 403 }) } })`
	k := start(t, defaults(t), map[string]string{
		"shared/index.ts":            `import { word } from '../../../packages/shared/word.ts'; Deno.serve(() => new Response(word))`,
		"mapped/index.ts":            `import { word } from '@shared/word.ts'; Deno.serve(() => new Response('mapped ' + word))`,
		"mapped/deno.json":           `{ "imports": { "@shared/": "../../../packages/shared/" } }`,
		"member/index.ts":            `import { word } from '@project/shared'; Deno.serve(() => new Response('member ' + word))`,
		"../../packages/word.ts":     `export const word: string = 'first'`,
		"../../deno.json":            `{ "workspace": ["./packages/shared"] }`,
		"../../.env":                 "SECRET=1",
		"../../../outside/secret.ts": `export const word = 'outside'`,
		"outside/index.ts":           `import { word } from '../../../../outside/secret.ts'; Deno.serve(() => new Response(word))`,
		"reads/index.ts":             reads,
		"reads/own.txt":              "own", "../pages/a.html": "a page", "../pages/b.txt": "no page",
		"../../packages/shared/word.ts":   `export { word } from '../word.ts'`,
		"../../packages/shared/deno.json": `{ "name": "@project/shared", "version": "1.0.0", "exports": "./word.ts" }`,
	}, func(f *edge.Folder, _ *edge.Deps) {
		f.Declared = map[string]edge.Declared{"reads": {StaticFiles: []string{"./pages/*.html"}}, "member": {ImportMap: "../deno.json"}}
	})
	k.expect(t, "/shared", 200, "first")
	k.expect(t, "/mapped", 200, "mapped first")
	k.expect(t, "/member", 200, "member first")
	k.write(t, "../../packages/word.ts", `export const word = 'second'`)
	k.expect(t, "/shared", 200, "second") // its changes are noticed
	k.expect(t, "/outside", 503, "BOOT_ERROR")
	if output := k.logText(); !strings.Contains(output, "A function can import the files of "+filepath.Dir(k.root)) {
		t.Errorf("the log does not name what a function can import: %s", output)
	}
	for path, want := range map[string]string{
		"./own.txt": "own", "../../pages/a.html": "a page", "../../pages/b.txt": "NotCapable", "../../../.env": "NotCapable", "../../../packages/word.ts": "NotCapable",
		"/etc/passwd": "NotCapable",
	} {
		if _, body := k.call(t, http.MethodPost, "/reads", path, nil); body != want {
			t.Errorf("reads %s: %s, want %s", path, body, want)
		}
	}
}
