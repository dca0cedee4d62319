package social_test

import (
	"bytes"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"plaza/client"
	"plaza/functions/social"
	"plaza/tests/testkit/restkit"
)

const business = `
	insert into businesses (id, name, type, location, category_code, description)
	values ('00000000-0000-4000-8000-0000000000b1', 'Cafè de la Núria i els seus cosins de l''Alt Empordà, SL', 'Cafetería', 'Gràcia, Barcelona', 'food', 'Cafè i pa.')`

func pictures(t *testing.T) *social.Pictures {
	t.Helper()
	api := restkit.Marketplace(t, business)
	p, err := social.New(api.ServerDB, client.TileData(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPictures(t *testing.T) {
	t.Parallel()
	routes := pictures(t).Routes()
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
