package rest

import (
	"net/http"

	"plaza/server/pg"
	"plaza/server/pg/replica"
)

// commitHeader holds the log position of a committed write, in responses if there
// are replicas. If a client sends it back with a read, the read sees at least this
// write, on whichever server it runs. The name is in http.Header's canonical form.
const commitHeader = "Plaza-Commit-Lsn"

// requiredLSN returns the log position that a read must have reached, or 0.
func requiredLSN(r *http.Request) pg.LSN { return replica.ParseLSN(r.Header.Get(commitHeader)) }

func (req *apiRequest) setCommitHeader(header http.Header) {
	if req.committed != 0 {
		header.Set(commitHeader, req.committed.String())
		header.Add("Access-Control-Expose-Headers", commitHeader)
	}
}
