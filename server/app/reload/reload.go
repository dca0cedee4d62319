// Package reload has the signals by which operators reload a running server, as PostgREST has them.
package reload
