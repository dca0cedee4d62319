package edge

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/joho/godotenv"
)

// spec has the files of a function.
type spec struct {
	name        string
	entry       string   // absolute path
	importMap   string   // absolute path of an import map or a deno.json; may be empty
	packages    string   // absolute path of a package.json that takes the import map's place; may be empty
	staticFiles []string // absolute patterns of files that it may read
}

// functionsDir returns the folder that contains a folder for each function.
func (r *Runtime) functionsDir() string { return filepath.Join(r.folder.Root, "functions") }

// projectDir returns the folder of the whole project: the one that contains supabase/.
func (r *Runtime) projectDir() string {
	if filepath.Base(r.folder.Root) == "supabase" {
		return filepath.Dir(r.folder.Root)
	}
	return r.folder.Root
}

// spec finds a function's files: those in config.toml, or else those in the function's folder.
//
// The search order of import maps is that of the Supabase CLI: config.toml, the function's folder, then
// functions/import_map.json for all functions. The CLI names no further file, but its runtime then
// finds functions/deno.json, because it is the next one above the function. A package.json counts only
// beside a function without an import map.
func (r *Runtime) spec(name string, declared Declared) (spec, bool) {
	if r.folder.Root == "" {
		return spec{}, false
	}
	own := filepath.Join(r.functionsDir(), name)
	s := spec{name: name, entry: filepath.Join(own, "index.ts")}
	if declared.Entrypoint != "" {
		s.entry = r.resolve(declared.Entrypoint)
	}
	if !isFile(s.entry) {
		return spec{}, false
	}
	for _, pattern := range declared.StaticFiles {
		s.staticFiles = append(s.staticFiles, r.resolve(pattern))
	}
	if declared.ImportMap != "" {
		s.importMap = r.resolve(declared.ImportMap)
		return s, true
	}
	packages := filepath.Join(filepath.Dir(s.entry), "package.json")
	for _, candidate := range []string{
		filepath.Join(filepath.Dir(s.entry), "deno.json"), filepath.Join(filepath.Dir(s.entry), "deno.jsonc"),
		filepath.Join(own, "deno.json"), filepath.Join(own, "deno.jsonc"), filepath.Join(own, "import_map.json"),
		filepath.Join(r.functionsDir(), "import_map.json"), packages,
		filepath.Join(r.functionsDir(), "deno.json"), filepath.Join(r.functionsDir(), "deno.jsonc"),
	} {
		if !isFile(candidate) {
			continue
		}
		if candidate == packages {
			s.packages = packages
		} else {
			s.importMap = candidate
		}
		break
	}
	return s, true
}

func (r *Runtime) resolve(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.folder.Root, path)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// fingerprint returns a hash of names, sizes and modification times of the functions' files and of
// others. Installed packages are ignored.
func (r *Runtime) fingerprint(others []string) uint64 {
	sum := fnv.New64a()
	note := func(path string, info fs.FileInfo, err error) {
		if err == nil { // a file that has just been deleted changes the hash, too
			_, _ = sum.Write([]byte(path))
			_ = binary.Write(sum, binary.LittleEndian, []int64{info.Size(), info.ModTime().UnixNano()})
		}
	}
	_ = filepath.WalkDir(r.functionsDir(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if entry.IsDir() {
			if entry.Name() == "node_modules" || entry.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		note(path, info, err)
		return nil
	})
	for _, path := range others {
		info, err := os.Stat(path)
		note(path, info, err)
	}
	return sum.Sum64()
}

// inheritedVariables are the server's environment variables that deno needs for network access, both for modules
// and for requests of functions. Deno reads them lazily, so they cannot be hidden from functions.
var inheritedVariables = []string{
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
	"NPM_CONFIG_REGISTRY", "JSR_URL", "DENO_CERT", "SSL_CERT_FILE", "SSL_CERT_DIR", caStore,
}

// caStore is the variable that selects deno's certificate store. By default deno does not use the
// system's store.
const caStore = "DENO_TLS_CA_STORE"

// environment returns the variables of a function in Deno.env: the secrets of config.toml,
// functions/.env and the server's variables. Only the server sets names that begin with SUPABASE_.
func (r *Runtime) environment() (map[string]string, error) {
	env := make(map[string]string)
	maps.Copy(env, r.folder.Secrets)
	text, err := os.ReadFile(filepath.Join(r.functionsDir(), ".env"))
	if err == nil {
		var own map[string]string
		if own, err = godotenv.UnmarshalBytes(text); err != nil {
			return nil, fmt.Errorf("read functions/.env: %w", err)
		}
		maps.Copy(env, own)
	} else if !os.IsNotExist(err) {
		return nil, err
	}
	maps.DeleteFunc(env, func(name, _ string) bool { return strings.HasPrefix(name, "SUPABASE_") })
	maps.Copy(env, r.Env())
	return env, nil
}
