// Package schema shows admins what the doctor finds in the database.
package schema

import (
	"net/http"

	"plaza/functions"
	"plaza/server/apierr"
	"plaza/server/doctor"
	"plaza/server/httpx"
	"plaza/server/project"
)

// Doctor is database-doctor, for admins: it returns {findings: [{code, subject, problem,
// remedy}]}, as `plaza doctor --json` does of the database.
//
// Errors: 403 not_admin.
func Doctor(p project.Parts) functions.Func {
	return functions.Func{Name: "database-doctor", Serve: func(w http.ResponseWriter, r *http.Request) error {
		isAdmin := false
		err := functions.ClientsOf(r.Context()).Query(r.Context(), `select public.is_admin()`, nil, func(row [][]byte) error {
			isAdmin = string(row[0]) == "t"
			return nil
		})
		if err != nil {
			return err
		}
		if !isAdmin {
			return apierr.New(http.StatusForbidden, "not_admin", "User does not have admin privileges")
		}
		found, err := p.Examine(r.Context())
		if err != nil {
			return err
		}
		w.Header().Set("Cache-Control", "no-store")
		return httpx.WriteJSON(w, http.StatusOK, map[string][]doctor.Finding{"findings": append([]doctor.Finding{}, found...)})
	}}
}
