package auth_test

import (
	"net/http"
	"testing"
)

func BenchmarkGetUser(b *testing.B) {
	s := start(b, nil)
	in := s.member("ana@plaza.test")
	for b.Loop() {
		s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(b, http.StatusOK, "")
	}
}

func BenchmarkRefresh(b *testing.B) {
	s := start(b, nil)
	in := s.member("ana@plaza.test")
	for b.Loop() {
		in = s.refresh(in.Refresh).tokens(b)
	}
}
