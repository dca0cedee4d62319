package embedded

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// defaults suit one small machine that also runs the server and its clients.
// Memory is taken when it is used, so an idle server stays small.
var defaults = map[string]string{
	"max_connections":      "100",
	"work_mem":             "16MB",
	"maintenance_work_mem": "128MB",
	"random_page_cost":     "1.1", // solid state disks
	// Realtime reads row changes by logical decoding.
	"wal_level": "logical",
	// A replication slot that nobody reads must not fill the disk: beyond this, it is invalidated.
	"max_slot_wal_keep_size": "1GB",
	// Compiling a statement takes longer than the short statements of an API.
	"jit":          "off",
	"timezone":     "UTC",
	"log_timezone": "UTC",
	// How the log is read: see logForwarder. Values of rows stay out of it.
	"log_destination":         "stderr",
	"logging_collector":       "off",
	"log_min_messages":        "warning",
	"log_min_error_statement": "panic",
	"log_error_verbosity":     "terse",
	"log_line_prefix":         logLinePrefix,
}

// preloaded are the libraries of extensions that work only if PostgreSQL was started with
// them, with the settings that each needs. Those that are installed are loaded.
var preloaded = []struct {
	library  string
	settings map[string]string
}{
	{"pg_stat_statements", map[string]string{"compute_query_id": "on"}}, // query plans contain it
	// Its background workers need no password; its client connections would.
	{"pg_cron", map[string]string{"cron.database_name": "postgres", "cron.use_background_workers": "on"}},
	{"pg_net", map[string]string{"pg_net.database_name": "postgres"}},
	{"pgaudit", nil},
}

// arguments is the command line of postgres: loopback TCP, and a socket file in
// the data folder, which PostgreSQL works in and only its user and root may enter.
func arguments(cfg Config, bin binaries, port int) []string {
	settings := maps.Clone(defaults)
	settings["shared_buffers"] = sharedBuffers(memory())
	var libraries []string
	for _, found := range preloaded {
		if bin.hasLibrary(found.library) {
			libraries = append(libraries, found.library)
			maps.Copy(settings, found.settings)
		}
	}
	settings["shared_preload_libraries"] = strings.Join(libraries, ",")
	if bin.major() >= 18 {
		// I/O workers help to read ahead from a disk, but only delay reads from the operating system's cache.
		settings["io_method"] = "sync"
		if len(cfg.Extensions) > 0 {
			settings["extension_control_path"] = extensionFolder(cfg) + string(os.PathListSeparator) + "$system"
		}
	}
	maps.Copy(settings, cfg.Settings)
	settings["listen_addresses"] = "127.0.0.1"
	settings["port"] = strconv.Itoa(port)
	settings["unix_socket_directories"] = socketFolder
	args := []string{"-D", cfg.DataDir}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	return args
}

// memory returns the bytes of memory of this machine or container; 0: unknown.
func memory() uint64 {
	least := uint64(0)
	for _, limit := range []memlimit.Provider{memlimit.FromSystem, memlimit.FromCgroup} {
		if n, err := limit(); err == nil && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// sharedBuffers returns a quarter of the memory, as PostgreSQL's manual recommends, within
// bounds. For each gigabyte, even an idle server writes 20 MB at the start, and full-text
// searches of a million rows are as fast with one gigabyte as with four.
func sharedBuffers(memory uint64) string {
	const (
		least = 128 << 20
		most  = 1 << 30
	)
	return strconv.FormatUint(min(max(memory/4, least), most)>>20, 10) + "MB"
}
