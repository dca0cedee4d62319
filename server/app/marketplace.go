package app

import (
	"net/http"

	"plaza/client"
	"plaza/functions"
	"plaza/functions/location"
	"plaza/server/pg/migrate"
	"plaza/sql"
)

// Marketplace is the project the binary carries: the one place where the
// platform and the marketplace meet.
func Marketplace() Project {
	return Project{
		Name: "marketplace", Source: migrate.Project(sql.FS), Client: client.Dist(),
		Routes: func(p Parts) map[string]http.Handler {
			return map[string]http.Handler{
				"/functions/v1/": functions.Handler("/functions/v1", p.Auth, location.Geolocation()),
			}
		},
		Accounts: []Account{
			{"admin", "admin@plaza.test", "Plaza-demo-1"},
			{"seller", "owner@plaza.test", "Plaza-demo-1"},
			{"buyer", "user@plaza.test", "Plaza-demo-1"},
		},
	}
}
