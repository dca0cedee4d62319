package rest

import (
	"net/http"
	"strings"

	"plaza/server/rest/plan"
	"plaza/server/rest/settings"
)

// legacyNamesMessage and the form of the header and of the log are upstream's, which
// clients and operators may look for.
const legacyNamesMessage = "Embedded resource was referenced by relation name even though it has an alias. " +
	"This is deprecated and will stop working in a future release."

// warnLegacyNames tells client and operator of embeds that the request named by their
// tables although they have aliases.
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

// headerText makes a text the inside of a quoted string, in one line.
func headerText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", " ", "\n", " ", "\x00", " ").Replace(text)
}
