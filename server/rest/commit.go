package rest

import (
	"net/http"

	"plaza/server/pg"
	"plaza/server/pg/replica"
)

// commitHeader tells, on the answer to a write, from which position of the log on
// it can be seen, where there are replicas. A client that sends it back with a
// read gets an answer that is no older, from whichever server. It is written as
// http.Header keeps it.
const commitHeader = "Plaza-Commit-Lsn"

func seenBy(r *http.Request) pg.LSN { return replica.ParseLSN(r.Header.Get(commitHeader)) }

func (req *apiRequest) tellCommit(header http.Header) {
	if req.committed != 0 {
		header.Set(commitHeader, req.committed.String())
		header.Add("Access-Control-Expose-Headers", commitHeader)
	}
}
