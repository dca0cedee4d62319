package rest

import (
	"net/http"
	"strings"

	"plaza/server/rest/plan"
	"plaza/server/rest/settings"
)

// legacyNamesMessage and the formats of the header and the log entry are the same as
// upstream's, since clients and operators may search for them.
const legacyNamesMessage = "Embedded resource was referenced by relation name even though it has an alias. " +
	"This is deprecated and will stop working in a future release."

// warnLegacyNames warns the client and the operator about embedded tables that the
// request refers to by table name although they have aliases.
//
// Source: PostgREST, url-use-legacy-target-names.
func (s *Server) warnLegacyNames(r *http.Request, req *apiRequest, names []plan.LegacyName) {
	if len(names) == 0 {
		return
	}
	changes := make([]string, len(names))
	for i, n := range names {
		changes[i] = "`" + n.Name + "` to `" + n.Alias + "`"
	}
	list := strings.Join(changes, ", ")
	req.warning = "299 PostgRESTv" + settings.Version + ` "` + headerText(legacyNamesMessage+" Update "+list+" in query string filters, orders or limits.") + `"`
	target := r.URL.Path
	if req.config.LogTargets {
		target = r.URL.RequestURI()
	}
	s.log.WarnContext(r.Context(), "legacy target names", "message", legacyNamesMessage)
	s.log.WarnContext(r.Context(), "legacy target names to change", "changes", list, "request", r.Method+" "+target)
}

// headerText escapes text for use inside a quoted string, in one line.
func headerText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", " ", "\n", " ", "\x00", " ").Replace(text)
}
