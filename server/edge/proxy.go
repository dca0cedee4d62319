package edge

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	"plaza/server/httpx"
	"plaza/server/tracing"
)

// Headers between server and function. Neither clients nor functions see them.
const (
	tokenHeader = "X-Plaza-Edge"
	probeHeader = "X-Plaza-Probe"
)

// failureKey is the context key of an *error in which the proxy stores its error.
type failureKey struct{}

// regionHeader names the region in which a function ran. Source: Supabase's documentation of regional
// invocations.
const regionHeader = "X-Sb-Edge-Region"

// proxy returns a reverse proxy that forwards requests to a runtime at /{name}/…, as Supabase's gateway
// does. Responses are streamed; WebSockets are supported. token is empty for an external runtime.
func (r *Runtime) proxy(address *url.URL, transport http.RoundTripper, token string) http.Handler {
	if address.Path == "" {
		address.Path = "/" // otherwise JoinPath returns a relative path
	}
	return &httputil.ReverseProxy{
		Transport: transport, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0), // failures are returned
		Rewrite: func(p *httputil.ProxyRequest) {
			path := strings.TrimPrefix(p.In.URL.EscapedPath(), r.Prefix)
			query := p.Out.URL.RawQuery
			*p.Out.URL = *address.JoinPath(path)
			p.Out.URL.RawQuery = query
			p.Out.Host = p.In.Host
			p.SetXForwarded()
			if client := httpx.ClientAddress(p.In, r.TrustedProxies); client.IsValid() {
				p.Out.Header.Set("X-Forwarded-For", client.String())
			}
			if id := httpx.RequestID(p.In.Context()); id != "" {
				p.Out.Header.Set("X-Request-Id", id)
			}
			p.Out.Header.Del(tokenHeader)
			p.Out.Header.Del(probeHeader)
			tracing.Inject(p.In.Context(), p.Out.Header)
			if token != "" {
				p.Out.Header.Set(tokenHeader, token)
			}
		},
		ModifyResponse: func(response *http.Response) error {
			if token != "" {
				response.Header.Set(regionHeader, region)
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, request *http.Request, err error) {
			if failure, ok := request.Context().Value(failureKey{}).(*error); ok {
				*failure = err
			}
		},
	}
}

// forward serves a request with a proxy and returns the proxy's error.
func forward(proxy http.Handler, w http.ResponseWriter, r *http.Request) (failure error) {
	proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), failureKey{}, &failure)))
	return failure
}
