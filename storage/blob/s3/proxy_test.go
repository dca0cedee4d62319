package s3_test

import (
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// blobReader hides all methods except Read.
type blobReader interface{ io.Reader }

// proxyTo forwards requests unless instead handles them. It keeps the Host header,
// which is signed.
func proxyTo(endpoint string, instead func(http.ResponseWriter, *http.Request) bool) http.Handler {
	target, err := url.Parse(endpoint)
	if err != nil {
		panic(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !instead(w, r) {
			proxy.ServeHTTP(w, r)
		}
	})
}
