package rest_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"plaza/tests/testkit/restkit"
)

// BenchmarkRead measures a list read without the network: the time spent by the server
// and by PostgreSQL.
func BenchmarkRead(b *testing.B) {
	api := restkit.New(b, fixture, nil)
	token := api.Token(b, ana)
	routes := api.Server.Routes("/rest/v1")
	b.ReportAllocs()
	for b.Loop() {
		request := httptest.NewRequest(http.MethodGet, "/rest/v1/films?select=id,title,year,rating&order=id&limit=12", nil)
		request.Header.Set("apikey", api.Auth.Keys.Anon)
		request.Header.Set("Authorization", "Bearer "+token)
		answer := httptest.NewRecorder()
		routes.ServeHTTP(answer, request)
		if answer.Code != http.StatusOK {
			b.Fatal(answer.Body)
		}
	}
}
