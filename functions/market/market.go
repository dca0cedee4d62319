// Package market puts the marketplace together: its schema, its client and its
// functions, as the binary carries them.
package market

import (
	"net/http"

	"plaza/client"
	"plaza/functions"
	"plaza/functions/csrf"
	"plaza/functions/location"
	"plaza/functions/session"
	"plaza/functions/social"
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
		Extend: extend,
		Settings: []string{
			// RULE-03, RULE-04; the same rules stand in validate_password_strength.
			"GOTRUE_PASSWORD_MIN_LENGTH=8",
			"GOTRUE_PASSWORD_REQUIRED_CHARACTERS=abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
			// AUTH-10, S-05: counts failures and locks accounts.
			"GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_ENABLED=true",
			"GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_URI=pg-functions://postgres/private/password_verification_attempt",
			// AUTH-03, PROFILE-08: sign-in by phone and passkey; people take their data along and leave.
			"GOTRUE_EXTERNAL_PHONE_ENABLED=true",
			"GOTRUE_PASSKEY_ENABLED=true",
			"GOTRUE_SECURITY_USER_DELETION_ENABLED=true",
			"GOTRUE_SECURITY_USER_EXPORT_ENABLED=true",
		},
		Accounts: []project.Account{
			{Role: "admin", Email: "admin@plaza.test", Password: demoPassword},
			{Role: "seller", Email: "owner@plaza.test", Password: demoPassword},
			{Role: "buyer", Email: "user@plaza.test", Password: demoPassword},
		},
	}
}

func extend(p project.Parts) (project.Extension, error) {
	pages, err := social.New(p.DB, p.SiteURL, client.TileData(), p.Log)
	if err != nil {
		return project.Extension{}, err
	}
	return project.Extension{
		Routes: map[string]http.Handler{
			"/functions/v1/": functions.Handler("/functions/v1", p,
				location.Geolocation(p),
				csrf.Generate(p.Secret("csrf"), p.Now), csrf.Validate(p.Secret("csrf"), p.Now),
			),
			"/social/": pages.Routes(),

			"POST /api/session-cleanup": session.Cleanup(p.DB, p.Log),
		},
		Describe: pages.Describe,
	}, nil
}
