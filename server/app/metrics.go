package app

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"plaza/server/auth"
	"plaza/server/claims"
	"plaza/server/edge"
	"plaza/server/httpx"
	"plaza/server/invoke"
	"plaza/server/jobs"
	"plaza/server/ops"
	"plaza/server/peers"
	"plaza/server/pg"
	"plaza/server/realtime"
	"plaza/server/rest"
	"plaza/server/site"
	"plaza/server/walarchive"
	"plaza/storage"
)

// meters holds the metrics and the tracer of a server.
type meters struct {
	requests *ops.Requests
	registry *prometheus.Registry
	tracer   *ops.Tracer // nil means that requests are not traced
}

func newMeters(tracer *ops.Tracer) *meters {
	requests := ops.NewRequests()
	return &meters{requests, ops.NewRegistry(requests), tracer}
}

// observe returns a handler that logs, counts and traces requests.
func (m *meters) observe(log *slog.Logger, next http.Handler) http.Handler {
	return m.tracer.Wrap(httpx.Observe(log, time.Now, next, m.requests.Count, m.tracer.Record))
}

// statements returns the tracer of database statements, or nil if tracing is off.
func (m *meters) statements() pgx.QueryTracer {
	if m.tracer == nil {
		return nil
	}
	return pg.Spans{}
}

// add registers the metrics of services.
func (m *meters) add(sources ...ops.Source) {
	for _, source := range sources {
		if source != nil {
			m.registry.MustRegister(source)
		}
	}
}

func seconds(d time.Duration) float64 { return d.Seconds() }

// gaugeOf returns 1 for true and 0 for false.
func gaugeOf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// poolMetrics returns the metrics of the connection pools.
func poolMetrics(db *pg.DB) ops.Source {
	return func(s ops.Scrape) {
		stats := db.Stats()
		writePool(s, "callers", stats.Callers)
		writePool(s, "service", stats.Service)
		for _, r := range stats.Replicas {
			writePool(s, r.Name(), r.PoolStats)
			s.Gauge("plaza_db_replica_up", "Whether a replica answers reads.", gaugeOf(r.IsUsed), "pool", r.Name())
		}
	}
}

func writePool(s ops.Scrape, name string, p pg.PoolStats) {
	s.Gauge("plaza_db_pool_max_connections", "Maximum number of connections.", float64(p.Max), "pool", name)
	s.Gauge("plaza_db_pool_idle_connections", "Idle connections.", float64(p.Idle), "pool", name)
	s.Gauge("plaza_db_pool_used_connections", "Connections in use.", float64(p.Used), "pool", name)
	s.Count("plaza_db_pool_connections_opened_total", "Connections opened.", float64(p.Opened), "pool", name)
	s.Count("plaza_db_pool_waits_total", "Requests that had to wait for a connection.", float64(p.Waits), "pool", name)
	s.Count("plaza_db_pool_wait_seconds_total", "Time spent waiting for a connection.", seconds(p.Waited), "pool", name)
	if name == "service" {
		return // it has no queue of its own
	}
	s.Gauge("plaza_db_pool_waiting", "Requests waiting for a connection.", float64(p.Waiting), "pool", name)
	s.Count("plaza_db_pool_timeouts_total", "Requests that timed out waiting for a connection.", float64(p.Timeouts), "pool", name)
	s.Count("plaza_db_trips_total", "Round trips to the database for callers.", float64(p.Batches), "pool", name)
	s.Count("plaza_db_trip_statements_total", "Statements of callers on these round trips; batched reads share a round trip.", float64(p.Statements), "pool", name)
}

// peerMetrics returns the metrics about the servers that share the database: the offset of this one's clock.
func peerMetrics(peer *peers.Peer) ops.Source {
	return func(s ops.Scrape) {
		s.Gauge("plaza_clock_offset_seconds", "How far this machine's clock is ahead of the database's.", peer.Offset().Seconds())
	}
}

// restMetrics returns the metrics of the data API.
func restMetrics(api *rest.Server) ops.Source {
	return func(s ops.Scrape) {
		stats := api.Stats()
		s.Count("plaza_rest_schema_reloads_total", "Loads of the schema.", float64(stats.Loads), "outcome", "ok")
		s.Count("plaza_rest_schema_reloads_total", "Loads of the schema.", float64(stats.Failures), "outcome", "failed")
		s.Time("plaza_rest_schema_loaded_timestamp_seconds", "When the current schema was loaded.", stats.Loaded)
		s.Gauge("plaza_rest_streams", "Large responses in progress.", float64(stats.Streams))
		s.Gauge("plaza_rest_streams_max", "Maximum number of large responses in progress.", float64(stats.MaxStreams))
	}
}

// postgrestMetrics returns the metrics of the data API with PostgREST's names.
func postgrestMetrics(read func() (pg.PoolStats, rest.Stats, claims.CacheStats)) ops.Source {
	return func(s ops.Scrape) {
		pool, schema, tokens := read()
		s.Count("pgrst_db_pool_timeouts_total", "The total number of pool connection timeouts", float64(pool.Timeouts))
		s.Gauge("pgrst_db_pool_available", "Available connections in the pool", float64(pool.Idle))
		s.Gauge("pgrst_db_pool_waiting", "Requests waiting to acquire a pool connection", float64(pool.Waiting))
		s.Gauge("pgrst_db_pool_max", "Max pool connections", float64(pool.Max))
		s.Count("pgrst_schema_cache_loads_total", "The total number of times the schema cache was loaded", float64(schema.Loads), "status", "SUCCESS")
		s.Count("pgrst_schema_cache_loads_total", "The total number of times the schema cache was loaded", float64(schema.Failures), "status", "FAIL")
		s.Gauge("pgrst_schema_cache_query_time_seconds", "The query time in seconds of the last schema cache load", seconds(schema.QueryTime))
		s.Count("pgrst_jwt_cache_requests_total", "The total number of JWT cache lookups", float64(tokens.Lookups))
		s.Count("pgrst_jwt_cache_hits_total", "The total number of JWT cache hits", float64(tokens.Hits))
		s.Count("pgrst_jwt_cache_evictions_total", "The total number of JWT cache evictions", float64(tokens.Evictions))
	}
}

// tokenMetrics returns the metrics of the cache of verified tokens, which all services share.
func tokenMetrics(stats func() claims.CacheStats) ops.Source {
	return func(s ops.Scrape) {
		tokens := stats()
		s.Count("plaza_jwt_cache_lookups_total", "Lookups in the cache of verified tokens.", float64(tokens.Lookups))
		s.Count("plaza_jwt_cache_hits_total", "Hits in the cache of verified tokens.", float64(tokens.Hits))
		s.Count("plaza_jwt_cache_evictions_total", "Evictions from the cache of verified tokens.", float64(tokens.Evictions))
	}
}

// jobMetrics returns the metrics of background jobs.
func jobMetrics(runner *jobs.Runner) ops.Source {
	return func(s ops.Scrape) {
		for _, job := range runner.Stats() {
			s.Gauge("plaza_job_leader", "Whether this server runs a background job; of all servers, one does.", gaugeOf(job.Leads), "job", job.Name)
			s.Count("plaza_job_runs_total", "Runs of a background job on this server, by outcome: ok or failed.", float64(job.Runs-job.Failures), "job", job.Name, "outcome", "ok")
			s.Count("plaza_job_runs_total", "Runs of a background job on this server, by outcome: ok or failed.", float64(job.Failures), "job", job.Name, "outcome", "failed")
			if job.Runs > 0 {
				s.Gauge("plaza_job_last_run_duration_seconds", "How long the last run of a background job on this server took.", seconds(job.Took), "job", job.Name)
			}
			s.Job(job.Name, job.LastSuccess)
		}
	}
}

// authMetrics returns the metrics of the auth server.
func authMetrics(server *auth.Server) ops.Source {
	return func(s ops.Scrape) {
		stats := server.Stats()
		for kind, count := range stats.SignIns {
			s.Count("plaza_auth_sign_ins_total", "Attempts to sign in, by method and outcome: ok, refused, limited or failed.",
				float64(count), "method", kind.Method, "outcome", kind.Outcome)
		}
		for limit, count := range stats.Limited {
			s.Count("plaza_auth_rate_limited_total", "Requests refused by a rate limit.", float64(count), "limit", limit)
		}
		for outcome, count := range stats.Mails {
			s.Count("plaza_auth_mails_total", "Mails by outcome: queued, sent, delayed (to be retried) or failed.", float64(count), "outcome", outcome)
		}
		s.Gauge("plaza_auth_mails_waiting", "Mails in the queue of all servers, as of the last check.", float64(stats.Waiting))
		s.Gauge("plaza_auth_password_hashes_running", "Passwords being hashed.", float64(stats.Password.Running))
		s.Gauge("plaza_auth_password_hashes_waiting", "Passwords waiting to be hashed.", float64(stats.Password.Waiting))
		s.Gauge("plaza_auth_password_hashes_max", "Maximum number of passwords hashed concurrently.", float64(stats.Password.Slots))
		s.Count("plaza_auth_password_hashes_total", "Passwords hashed.", float64(stats.Password.Hashed))
		s.Count("plaza_auth_password_hash_seconds_total", "Time spent hashing passwords.", seconds(stats.Password.Spent))
		s.Count("plaza_auth_password_hashes_refused_total", "Passwords rejected because too many were being hashed.", float64(stats.Password.Refused))
		s.Job("auth_keys", stats.KeysRead.Get())
	}
}

// storageMetrics returns the metrics of the storage service. Transferred bytes are
// counted by the request metrics.
func storageMetrics(server *storage.Server) ops.Source {
	return func(s ops.Scrape) {
		stats := server.Stats()
		s.Gauge("plaza_storage_unused_blobs", "Unused blobs, as of this server's last sweep.", float64(stats.Unused))
		s.Gauge("plaza_storage_uploads_in_flight", "Blobs being written.", float64(stats.Uploading))
		s.Count("plaza_storage_swept_blobs_total", "Blobs deleted because no row refers to them.", float64(stats.Swept))
		s.Count("plaza_storage_memory_cache_hits_total", "Reads of objects from the in-memory cache, as bytes or open files.", float64(stats.Memory.Hits))
		s.Count("plaza_storage_memory_cache_misses_total", "Reads of objects from the blob store.", float64(stats.Memory.Misses))
		s.Gauge("plaza_storage_memory_cache_bytes", "Bytes of objects in the in-memory cache.", float64(stats.Memory.Bytes))
		s.Gauge("plaza_storage_memory_cache_objects", "Objects in the in-memory cache.", float64(stats.Memory.Objects))
		if stats.Pictures.Max == 0 {
			return
		}
		s.Gauge("plaza_storage_renders_in_flight", "Images being transformed or waiting.", float64(stats.Pictures.Now))
		s.Gauge("plaza_storage_renders_max", "Maximum number of images being transformed or waiting.", float64(stats.Pictures.Max))
		s.Count("plaza_storage_renders_total", "Images transformed.", float64(stats.Pictures.Made))
		s.Count("plaza_storage_renders_refused_total", "Images rejected because too many were waiting.", float64(stats.Pictures.Refused))
		s.Count("plaza_storage_render_cache_hits_total", "Hits in the cache of transformed images.", float64(stats.Cache.Hits))
		s.Count("plaza_storage_render_cache_misses_total", "Misses in the cache of transformed images.", float64(stats.Cache.Misses))
		s.Gauge("plaza_storage_render_cache_bytes", "Bytes in the cache of transformed images.", float64(stats.Cache.Bytes))
		s.Gauge("plaza_storage_render_cache_files", "Files in the cache of transformed images.", float64(stats.Cache.Files))
	}
}

// callMetrics returns the metrics of function calls.
func callMetrics(calls *invoke.Calls) ops.Source {
	return func(s ops.Scrape) {
		for name, stats := range calls.Stats() {
			for outcome, count := range stats.Outcomes {
				s.Count("plaza_function_calls_total", "Calls of functions by outcome: ok, refused, failed, timeout, busy or broken_off.",
					float64(count), "function", name, "outcome", outcome)
			}
			s.Count("plaza_function_call_seconds_total", "Time spent on calls of functions.", seconds(stats.Spent), "function", name)
			s.Gauge("plaza_function_calls_in_flight", "Calls of functions in progress.", float64(stats.Running), "function", name)
		}
	}
}

// pageMetrics returns the metrics of the in-memory cache of pages, or nil if there is none.
func pageMetrics(kept *site.PageCache) ops.Source {
	if kept == nil {
		return nil
	}
	return func(s ops.Scrape) {
		stats := kept.Stats()
		s.Count("plaza_site_kept_pages_hits_total", "Pages sent from memory, or built for several requests at once.", float64(stats.Hits))
		s.Count("plaza_site_kept_pages_misses_total", "Pages that could be kept and were built.", float64(stats.Misses))
		s.Gauge("plaza_site_kept_pages_bytes", "Bytes of pages in memory, compressed.", float64(stats.Bytes))
		s.Gauge("plaza_site_kept_pages", "Pages in memory.", float64(stats.Pages))
	}
}

// processMetrics returns the metrics of the processes of a project folder's functions.
func processMetrics(running *edge.Runtime) ops.Source {
	return func(s ops.Scrape) {
		for name, stats := range running.Stats() {
			up := 0.0
			if stats.Running {
				up = 1
			}
			s.Gauge("plaza_edge_process_up", "Whether a function's process is running; idle processes are stopped.", up, "function", name)
			s.Gauge("plaza_edge_process_resident_memory_bytes", "Memory of a function's process.", float64(stats.Resident), "function", name)
			s.Count("plaza_edge_process_starts_total", "Starts of a function's process.", float64(stats.Starts), "function", name)
			s.Count("plaza_edge_process_overruns_total", "Processes killed because they exceeded a limit of memory, CPU time or temporary files.", float64(stats.Overruns), "function", name)
		}
	}
}

// realtimeMetrics returns the metrics of the realtime server. They have no topics: their number
// has no bound.
func realtimeMetrics(server *realtime.Server) ops.Source {
	return func(s ops.Scrape) {
		stats := server.Stats()
		s.Gauge("plaza_realtime_connections", "Open WebSocket connections.", float64(stats.Sockets.Open))
		s.Gauge("plaza_realtime_channels", "Joined channels.", float64(stats.Channels))
		s.Gauge("plaza_realtime_queued_bytes", "Bytes of messages that wait to be written to clients.", float64(stats.Sockets.Queued))
		s.Count("plaza_realtime_frames_total", "WebSocket frames.", float64(stats.Sockets.FramesIn), "direction", "in")
		s.Count("plaza_realtime_frames_total", "WebSocket frames.", float64(stats.Sockets.FramesOut), "direction", "out")
		s.Count("plaza_realtime_bytes_total", "Bytes of WebSocket frames.", float64(stats.Sockets.BytesIn), "direction", "in")
		s.Count("plaza_realtime_bytes_total", "Bytes of WebSocket frames.", float64(stats.Sockets.BytesOut), "direction", "out")
		s.Count("plaza_realtime_slow_clients_total", "Connections closed because the client read too slowly.", float64(stats.Sockets.Slow))
		for outcome, count := range stats.Joins {
			s.Count("plaza_realtime_joins_total", "Joins of channels, by outcome: ok or refused.", float64(count), "outcome", outcome)
		}
		for kind, count := range stats.Delivered {
			s.Count("plaza_realtime_deliveries_total", "Messages delivered to channels, by kind: broadcast or change.", float64(count), "kind", kind)
		}
		changes := stats.Changes
		s.Count("plaza_realtime_deliveries_total", "Messages delivered to channels, by kind: broadcast or change.", float64(changes.Delivered), "kind", "change")
		s.Gauge("plaza_realtime_log_read", "Whether the database's write-ahead log is read.", gaugeOf(changes.Live))
		s.Gauge("plaza_realtime_subscribers", "Channels that are subscribed to table changes.", float64(changes.Groups))
		s.Gauge("plaza_realtime_callers", "Different callers among the subscribers; row-level security is checked for each.", float64(changes.Callers))
		s.Count("plaza_realtime_changes_read_total", "Changes read from the database's write-ahead log.", float64(changes.Read))
		s.Count("plaza_realtime_row_checks_total", "Queries which rows of a table a caller sees.", float64(changes.Checks))
		s.Count("plaza_realtime_row_checks_seconds_total", "Time of these queries.", seconds(changes.CheckTime))
		s.Gauge("plaza_realtime_bus_servers", "Other servers that this one is connected to (REALTIME_BUS).", float64(stats.Bus.Servers))
		s.Count("plaza_realtime_bus_messages_total", "Messages between servers.", float64(stats.Bus.Sent), "direction", "out")
		s.Count("plaza_realtime_bus_messages_total", "Messages between servers.", float64(stats.Bus.Received), "direction", "in")
		s.Count("plaza_realtime_bus_lost_total", "Messages of other servers that were lost, because this one was too slow.", float64(stats.Bus.Lost))
		for cause, count := range changes.Gaps {
			s.Count("plaza_realtime_gaps_total", "Times that changes were missed, which is reported to subscribers, by cause: lost or lag.", float64(count), "cause", cause)
		}
	}
}

// archiveMetrics returns the metrics of the archive.
func archiveMetrics(archiver *walarchive.Archiver) ops.Source {
	return func(s ops.Scrape) {
		stats := archiver.Stats()
		s.Count("plaza_archive_wal_bytes_total", "Bytes of WAL archived.", float64(stats.Stored))
		s.Count("plaza_archive_stored_bytes_total", "Bytes written to the archive, compressed.", float64(stats.Packed))
		s.Count("plaza_archive_failures_total", "Times that archiving was interrupted.", float64(stats.Failures))
		s.Count("plaza_archive_gaps_total", "Times that WAL was lost, so that a new backup is needed.", float64(stats.Gaps))
		s.Time("plaza_archive_covered_timestamp_seconds", "The latest time to which a restore is possible.", stats.Covered)
		s.Job("archive", stats.Covered)
	}
}
