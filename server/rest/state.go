package rest

import (
	"net/url"

	"plaza/server/rest/identify"
	"plaza/server/rest/plan"
	"plaza/server/rest/schema"
	"plaza/server/rest/settings"
	"plaza/server/rest/sqlgen"
)

// state holds settings and schema that belong together, and the caches that depend on
// them. It is immutable apart from the caches: a request loads it once and is not
// affected by a reload.
type state struct {
	config     settings.Config
	identify   identify.Func
	snapshot   *schema.Snapshot
	preRequest string   // statement to run before each request's own; may be empty
	address    *url.URL // the API's URL for the OpenAPI document
	documents  *documentCache
	shapes     *shapeCache

	jsonStatements *statementSet // reads whose rows PostgreSQL must encode as JSON
}

func newState(config settings.Config, identify identify.Func, snapshot *schema.Snapshot) (*state, error) {
	address, err := config.ParsedOpenAPIAddress()
	if err != nil {
		return nil, err
	}
	next := &state{
		config: config, identify: identify, snapshot: snapshot, address: address,
		documents: new(documentCache), shapes: new(shapeCache), jsonStatements: new(statementSet),
	}
	if name := config.PreRequest; name != "" {
		next.preRequest = "select " + sqlgen.QualifiedIdent(name) + "()"
	}
	return next, nil
}

func (s *state) limits() plan.Limits {
	return plan.Limits{MaxRows: s.config.MaxRows, Aggregates: s.config.Aggregates, LegacyNames: s.config.LegacyNames}
}
