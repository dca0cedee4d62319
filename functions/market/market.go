// Package market puts the marketplace together: its schema, its client and its
// functions, as the binary carries them.
package market

import (
	"net/http"

	"plaza/client"
	"plaza/functions"
	"plaza/functions/location"
	"plaza/server/pg/migrate"
	"plaza/server/project"
	"plaza/sql"
)

// demoPassword is that of all sample accounts; sql/seed/demo has its hash.
const demoPassword = "Plaza-demo-1"

// Project is the marketplace.
func Project() project.Project {
	return project.Project{
		Name: "marketplace", Source: migrate.Project(sql.FS), Client: client.Dist(),
		Routes: routes,
		Accounts: []project.Account{
			{Role: "admin", Email: "admin@plaza.test", Password: demoPassword},
			{Role: "seller", Email: "owner@plaza.test", Password: demoPassword},
			{Role: "buyer", Email: "user@plaza.test", Password: demoPassword},
		},
	}
}

func routes(p project.Parts) (map[string]http.Handler, error) {
	return map[string]http.Handler{
		"/functions/v1/": functions.Handler("/functions/v1", p.Auth, location.Geolocation()),
	}, nil
}
