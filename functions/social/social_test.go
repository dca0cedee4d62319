package social_test

import (
	"bytes"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"plaza/client"
	"plaza/functions/social"
	"plaza/tests/testkit/restkit"
)

const business = `
	insert into businesses (id, name, type, location, category_code, description)
	values ('00000000-0000-4000-8000-0000000000b1', 'Cafè de la Núria i els seus cosins de l''Alt Empordà, SL', 'Cafetería', 'Gràcia, Barcelona', 'food', 'Cafè i pa.')`

func pages(t *testing.T) *social.Pages {
	t.Helper()
	api := restkit.Marketplace(t, business)
	p, err := social.New(api.Door, "https://plaza.example/", client.TileData(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestBIZ04Describe(t *testing.T) {
	t.Parallel()
	p := pages(t)
	for path, title := range map[string]string{
		"/business/00000000-0000-4000-8000-0000000000b1":            "Cafè de la Núria", // ROUTE-14
		"/biz/cafe-de-la-nuria":                                     "",                 // no such slug
		"/barcelona/food/00000000-0000-4000-8000-0000000000b1/cafe": "Cafè de la Núria", // ROUTE-16
		"/search": "",
	} {
		meta := p.Describe(httptest.NewRequest(http.MethodGet, path, nil))
		if title == "" && meta.Title != "" || !strings.HasPrefix(meta.Title, title) {
			t.Errorf("%s: title %q", path, meta.Title)
		}
		if title != "" && (meta.Lang != "en" || meta.Description != "Cafè i pa." || !strings.HasPrefix(meta.Image, "https://plaza.example/social/business/")) {
			t.Errorf("%s: %+v", path, meta)
		}
	}
	if meta := p.Describe(httptest.NewRequest(http.MethodGet, "/biz/nobody", nil)); meta.Status != http.StatusNotFound {
		t.Errorf("an unknown business has status %d", meta.Status)
	}
}

func TestPictures(t *testing.T) {
	t.Parallel()
	routes := pages(t).Routes()
	for path, status := range map[string]int{
		"/social/business/00000000-0000-4000-8000-0000000000b1.png": 200,
		"/social/category/food.png":                                 200,
		"/social/category/nope.png":                                 404,
		"/social/business/00000000-0000-4000-8000-0000000000b2.png": 404,
		"/social/business/x.png":                                    404,
	} {
		recorder := httptest.NewRecorder()
		routes.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
		if recorder.Code != status {
			t.Errorf("%s: %d, want %d", path, recorder.Code, status)
		}
		if status != http.StatusOK {
			continue
		}
		picture, err := png.Decode(bytes.NewReader(recorder.Body.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if size := picture.Bounds().Size(); size.X != social.Width || size.Y != social.Height {
			t.Errorf("%s: %v", path, size)
		}
		again := httptest.NewRecorder()
		routes.ServeHTTP(again, httptest.NewRequest(http.MethodGet, path, nil))
		if !bytes.Equal(again.Body.Bytes(), recorder.Body.Bytes()) {
			t.Errorf("%s: drawn differently the second time", path)
		}
	}
}
