package app

import (
	"plaza/client"
	"plaza/server/pg/migrate"
	"plaza/sql"
)

// Marketplace is the project the binary carries: the one place where the
// platform and the marketplace meet.
func Marketplace() Project {
	return Project{
		Name: "marketplace", Source: migrate.Project(sql.FS), Client: client.Dist(),
		Accounts: []Account{
			{"admin", "admin@plaza.test", "Plaza-demo-1"},
			{"seller", "owner@plaza.test", "Plaza-demo-1"},
			{"buyer", "user@plaza.test", "Plaza-demo-1"},
		},
	}
}
