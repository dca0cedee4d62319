package rest

import (
	"net/url"

	"plaza/server/rest/identify"
	"plaza/server/rest/plan"
	"plaza/server/rest/schema"
	"plaza/server/rest/settings"
	"plaza/server/rest/sqlgen"
)

// state is what requests work with: settings and schema that belong together. A
// request reads it once, so that a reload changes nothing under it.
type state struct {
	config     settings.Config
	identify   identify.Func
	snapshot   *schema.Snapshot
	preRequest string    // the statement that runs before each request's own
	address    *url.URL  // of the API, for its description
	unplain    *shapeSet // reads whose rows PostgreSQL writes as JSON
	documents  *documents
	shapes     *readShapes
}

func newState(config settings.Config, identify identify.Func, snapshot *schema.Snapshot) (*state, error) {
	address, err := config.ParsedOpenAPIAddress()
	if err != nil {
		return nil, err
	}
	made := &state{config: config, identify: identify, snapshot: snapshot, address: address, unplain: new(shapeSet), documents: new(documents), shapes: new(readShapes)}
	if name := config.PreRequest; name != "" {
		made.preRequest = "select " + sqlgen.QualifiedIdent(name) + "()"
	}
	return made, nil
}

func (s *state) limits() plan.Limits {
	return plan.Limits{MaxRows: s.config.MaxRows, Aggregates: s.config.Aggregates, LegacyNames: s.config.LegacyNames}
}
