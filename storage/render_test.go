package storage_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "golang.org/x/image/webp" // decodes WebP
)

// plainPNG returns a PNG of one colour.
func plainPNG(t testing.TB, width, height int, of color.Color) string {
	t.Helper()
	made := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		made.Set(i%width, i/width, of)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, made); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var red, blue = color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}

// store uploads an object as ana.
func (k *kit) store(bucket, name, kind, content string) {
	k.t.Helper()
	k.do(call{method: "POST", path: "/object/" + bucket + "/" + ana + "/" + name, as: k.token(ana), body: content, header: map[string]string{
		"Content-Type": kind, "X-Upsert": "true", "Cache-Control": "max-age=60",
	}}).want(k.t, http.StatusOK, "")
}

// shows returns format, size and colour of the image in a response.
func (a answer) shows(t testing.TB) string {
	t.Helper()
	picture, format, err := image.Decode(strings.NewReader(a.body))
	if err != nil {
		t.Fatalf("%d %s: no picture: %v", a.StatusCode, a.body[:min(len(a.body), 200)], err)
	}
	if a.Header.Get("Content-Type") != "image/"+format {
		t.Errorf("a %s as %s", format, a.Header.Get("Content-Type"))
	}
	r, _, b, _ := picture.At(0, 0).RGBA()
	tint := map[bool]string{true: "red", false: "blue"}[r > b]
	return fmt.Sprintf("%s %d×%d %s", format, picture.Bounds().Dx(), picture.Bounds().Dy(), tint)
}

// startWithPictures starts a server with red.png, uploaded by ana, in both buckets.
func startWithPictures(t *testing.T, settings ...string) *kit {
	t.Helper()
	k := start(t, settings...)
	k.exec(`create policy open_update on storage.objects for update to authenticated using (bucket_id = 'open');
		create policy open_select on storage.objects for select to authenticated using (bucket_id = 'open');
		create policy open_delete on storage.objects for delete to authenticated using (bucket_id = 'open')`)
	k.store("open", "red.png", "image/png", plainPNG(t, 40, 20, red))
	k.store("own", "red.png", "image/png", plainPNG(t, 40, 20, red))
	return k
}

const (
	renderOpen = "/render/image/public/open/" + ana + "/red.png"
	renderOwn  = "/render/image/authenticated/own/" + ana + "/red.png"
)

func TestPicturesAreRendered(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t)
	for _, tt := range []struct{ path, as, accept, shows, applied, vary string }{
		{renderOpen + "?width=10", "", "", "png 10×5 red", "width:10,resizing_type:fill", "Accept"},
		{renderOpen + "?width=10&height=10&resize=contain", "", "", "png 10×5 red", "height:10,width:10,resizing_type:fit", "Accept"},
		{renderOpen + "?width=10&height=10&resize=fill&quality=50", "", "", "png 10×10 red", "height:10,width:10,resizing_type:force,quality:50", "Accept"},
		{renderOpen, "", "", "png 40×20 red", "", "Accept"},
		{renderOpen, "", "image/avif,image/webp;q=0.8,*/*", "webp 40×20 red", "", "Accept"},
		{renderOpen, "", "image/webp;q=0, */*", "png 40×20 red", "", "Accept"},
		{renderOpen + "?format=webp", "", "", "webp 40×20 red", "format:webp", ""},
		{renderOpen + "?format=origin&height=10", "", "image/webp", "png 20×10 red", "height:10,resizing_type:fill", ""},
		{renderOwn + "?width=10", k.token(ana), "", "png 10×5 red", "width:10,resizing_type:fill", "Accept"},
		{strings.Replace(renderOpen, "public", "authenticated", 1) + "?width=10", k.token(ben), "", "png 10×5 red", "width:10,resizing_type:fill", "Accept"},
	} {
		t.Run(tt.path+tt.accept, func(t *testing.T) {
			for _, method := range []string{"GET", "HEAD", "GET"} {
				got := k.do(call{method: method, path: tt.path, as: tt.as, header: map[string]string{"Accept": tt.accept}}).want(t, http.StatusOK, "")
				if method == "GET" && got.shows(t) != tt.shows {
					t.Errorf("shows %s, want %s", got.shows(t), tt.shows)
				}
				for name, want := range map[string]string{
					"X-Transformations": tt.applied, "Vary": tt.vary, "Cache-Control": "max-age=60", "X-Robots-Tag": "none", "X-Content-Type-Options": "nosniff",
				} {
					if got.Header.Get(name) != want {
						t.Errorf("%s %s: %q, want %q", method, name, got.Header.Get(name), want)
					}
				}
				if got.ContentLength < 1 || got.Header.Get("Last-Modified") == "" {
					t.Errorf("%s: %v", method, got.Header)
				}
			}
		})
	}
	saved := k.do(call{method: "GET", path: renderOpen + "?width=10&download=a%20b.png"}).want(t, http.StatusOK, "")
	if got := saved.Header.Get("Content-Disposition"); got != "attachment; filename=a%20b.png; filename*=UTF-8''a%20b.png" {
		t.Errorf("Content-Disposition %q", got)
	}
}

// Users who may not download an object cannot get its rendered image, even if it is
// cached.
func TestPicturesOfOthers(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t)
	k.do(call{method: "GET", path: renderOwn, as: k.token(ana)}).want(t, http.StatusOK, "")
	k.do(call{method: "GET", path: renderOwn, as: k.token(ben)}).want(t, http.StatusBadRequest, "NoSuchKey")
	k.do(call{method: "GET", path: renderOwn}).want(t, http.StatusBadRequest, "AccessDenied")
	k.do(call{method: "GET", path: strings.Replace(renderOwn, "authenticated", "public", 1), as: k.token(ana)}).want(t, http.StatusBadRequest, "NoSuchBucket")
	k.do(call{method: "GET", path: renderOpen + "x"}).want(t, http.StatusBadRequest, "NoSuchKey")
	k.do(call{method: "GET", path: "/render/image/public/none/a.png"}).want(t, http.StatusBadRequest, "NoSuchBucket")
	k.do(call{method: "POST", path: renderOpen}).want(t, http.StatusNotFound, "InvalidRequest")
}

func TestPicturesFollowTheirObject(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t)
	tags := map[string]bool{}
	for path, as := range map[string]string{renderOpen: "", renderOwn: k.token(ana)} {
		get := func() answer {
			return k.do(call{method: "GET", path: path + "?width=10", as: as}).want(t, http.StatusOK, "")
		}
		first := get()
		bucket := map[bool]string{true: "open", false: "own"}[path == renderOpen]
		k.store(bucket, "red.png", "image/png", plainPNG(t, 40, 20, blue))
		second := get()
		if got := []string{first.shows(t), second.shows(t)}; !cmp.Equal(got, []string{"png 10×5 red", "png 10×5 blue"}) {
			t.Errorf("%s shows %q", path, got)
		}
		tags[first.Header.Get("ETag")], tags[second.Header.Get("ETag")] = true, true
		k.do(call{method: "DELETE", path: "/object/" + bucket + "/" + ana + "/red.png", as: k.token(ana)}).want(t, http.StatusOK, "")
		k.do(call{method: "GET", path: path + "?width=10", as: as}).want(t, http.StatusBadRequest, "NoSuchKey")
	}
	if len(tags) != 4 || tags[""] {
		t.Errorf("tags %v, want four", tags)
	}
}

func TestConditionsAndRangesOfPictures(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t)
	get := func(path string, header ...string) answer {
		given := map[string]string{}
		for i := 0; i < len(header); i += 2 {
			given[header[i]] = header[i+1]
		}
		return k.do(call{method: "GET", path: renderOpen + path, header: given})
	}
	whole := get("?width=10")
	tag := whole.Header.Get("ETag")
	if same := get("?width=10&cacheNonce=1").Header.Get("ETag"); same != tag {
		t.Errorf("tags %s and %s of one picture", tag, same)
	}
	for _, other := range []answer{get("?width=11"), get("?width=10&quality=50"), get("?width=10", "Accept", "image/webp"), get("?width=10&format=origin")} {
		if other.Header.Get("ETag") == tag {
			t.Errorf("%s has the tag of another picture", other.Request.URL)
		}
	}
	unchanged := get("?width=10", "If-None-Match", tag)
	if unchanged.StatusCode != http.StatusNotModified || unchanged.body != "" || unchanged.Header.Get("ETag") != tag || unchanged.Header.Get("Vary") != "Accept" {
		t.Errorf("%d %v", unchanged.StatusCode, unchanged.Header)
	}
	if got := get("?width=11", "If-None-Match", tag).StatusCode; got != http.StatusOK {
		t.Errorf("status %d for the tag of another picture", got)
	}
	get("?width=11", "If-Match", tag).want(t, http.StatusPreconditionFailed, "PreconditionFailed")
	part := get("?width=10", "Range", "bytes=1-4")
	if part.StatusCode != http.StatusPartialContent || part.body != whole.body[1:5] {
		t.Errorf("%d %q", part.StatusCode, part.body)
	}
	get("?width=10", "Range", "bytes=999999-").want(t, http.StatusRequestedRangeNotSatisfiable, "InvalidRange")
}

func TestBadOptionsOfPictures(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t)
	for _, tt := range []struct{ query, transform, message string }{
		{"width=-1", `{"width":-1}`, "/width must be >= 0"},
		{"width=a", `{"width":"a"}`, "/width must be integer"},
		{"height=1.5", `{"height":1.5}`, "/height must be integer"},
		{"quality=19", `{"quality":19}`, "/quality must be >= 20"},
		{"quality=101", `{"quality":101}`, "/quality must be <= 100"},
		{"resize=stretch", `{"resize":"stretch"}`, "/resize must be equal to one of the allowed values"},
		{"format=bmp", `{"format":"bmp"}`, "/format must be equal to one of the allowed values"},
		{"gravity=up", `{"gravity":"up"}`, "/gravity must be equal to one of the allowed values"},
		{"gravity=fp", `{"gravity":"fp"}`, "/x_offset must be between 0 and 1 for a focal point"},
	} {
		t.Run(tt.query, func(t *testing.T) {
			rendered := k.do(call{method: "GET", path: renderOpen + "?" + tt.query}).want(t, http.StatusBadRequest, "InvalidRequest")
			signed := k.do(call{
				method: "POST", path: "/object/sign/own/" + ana + "/red.png", as: k.token(ana), body: `{"expiresIn":60,"transform":` + tt.transform + `}`,
			}).want(t, http.StatusBadRequest, "InvalidRequest")
			var message [2]struct{ Message string }
			rendered.json(t, &message[0])
			signed.json(t, &message[1])
			if message[0].Message != "querystring"+tt.message || message[1].Message != "body/transform"+tt.message {
				t.Errorf("messages %q", message)
			}
		})
	}
}

// bomb returns a PNG of a few bytes whose header claims 10,000 megapixels.
func bomb(t *testing.T) string {
	made := []byte(plainPNG(t, 8, 8, red))
	binary.BigEndian.PutUint32(made[16:], 100_000)
	binary.BigEndian.PutUint32(made[20:], 100_000)
	binary.BigEndian.PutUint32(made[29:], crc32.ChecksumIEEE(made[12:29]))
	return string(made)
}

func TestInvalidSourcesAreRefused(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t, "IMAGE_TRANSFORMATION_MAX_SOURCE_SIZE=5KB")
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewRGBA(image.Rect(0, 0, 64, 64)), nil); err != nil {
		t.Fatal(err)
	}
	const unsupported = "The source image is invalid or unsupported for rendering"
	for _, tt := range []struct{ name, kind, content, failure string }{
		{"text.png", "image/png", "not an image", unsupported},
		{"empty.png", "image/png", "", unsupported},
		{"drawing.svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`, unsupported},
		{"drawing.png", "image/png", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`, unsupported},
		{"photo.heic", "image/heic", "\x00\x00\x00\x10ftypmif1\x00\x00\x00\x00", unsupported},
		{"half.jpg", "image/jpeg", photo.String()[:photo.Len()/2], unsupported},
		{"bomb.png", "image/png", bomb(t), "The source image resolution is too large to process"},
		{"large.png", "image/png", plainPNG(t, 8, 8, red) + strings.Repeat("x", 5000), "The source image file is too large to process"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k.store("open", tt.name, tt.kind, tt.content)
			for range 2 { // failures are not cached
				got := k.do(call{method: "GET", path: "/render/image/public/open/" + ana + "/" + tt.name + "?width=10"}).want(t, http.StatusBadRequest, "InvalidRequest")
				var failure struct{ Error, Message, StatusCode string }
				if got.json(t, &failure); failure.Message != tt.failure || failure.Error != "InvalidRequest" || failure.StatusCode != "400" {
					t.Errorf("error %+v", failure)
				}
				if got.Header.Get("X-Transformations") != "" || got.Header.Get("ETag") != "" {
					t.Errorf("headers of a picture: %v", got.Header)
				}
			}
		})
	}
	k.store("open", "red.jpg", "image/jpeg", plainPNG(t, 40, 20, red))
	if got := k.do(call{method: "GET", path: "/render/image/public/open/" + ana + "/red.jpg"}).shows(t); got != "png 40×20 red" {
		t.Errorf("a PNG named like a JPEG shows %s", got)
	}
}

func TestSignedPictures(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t)
	sign := func(transform string) string {
		var result struct{ SignedURL string }
		k.do(call{
			method: "POST", path: "/object/sign/own/" + ana + "/red.png", as: k.token(ana), body: `{"expiresIn":60,"transform":` + transform + `}`,
		}).want(t, http.StatusOK, "").json(t, &result)
		return result.SignedURL
	}
	for _, tt := range []struct{ transform, path, shows, applied string }{
		{`{"width":10}`, "/render/image/sign/own/", "webp 10×5 red", "width:10,resizing_type:fill"},
		{`{"width":10,"format":"origin"}`, "/render/image/sign/own/", "png 10×5 red", "width:10,resizing_type:fill"},
		{`{"width":"10","height":10,"resize":"fill"}`, "/render/image/sign/own/", "webp 10×10 red", "height:10,width:10,resizing_type:force"},
		{`{"width":1,"height":1,"resize":"cover","gravity":"fp","x_offset":0,"y_offset":1}`, "/render/image/sign/own/", "webp 1×1 red", "height:1,width:1,resizing_type:fill,gravity:fp:0:1"},
		{`{"quality":30}`, "/render/image/sign/own/", "webp 40×20 red", "quality:30"},
		{`{}`, "/object/sign/own/", "png 40×20 red", ""},
		{`{"format":"origin"}`, "/object/sign/own/", "png 40×20 red", ""},
	} {
		t.Run(tt.transform, func(t *testing.T) {
			address := sign(tt.transform)
			if !strings.HasPrefix(address, tt.path) {
				t.Errorf("signed %s, want %s", address, tt.path)
			}
			got := k.do(call{method: "GET", path: address + "&width=33&format=webp", header: map[string]string{"Accept": "image/webp"}}).want(t, http.StatusOK, "")
			if got.shows(t) != tt.shows || got.Header.Get("X-Transformations") != tt.applied {
				t.Errorf("%s by %q, want %s by %q", got.shows(t), got.Header.Get("X-Transformations"), tt.shows, tt.applied)
			}
			if got.Header.Get("Expires") == "" || got.Header.Get("Cache-Control") != "" {
				t.Errorf("headers %v", got.Header)
			}
		})
	}
	k.store("own", "blue.png", "image/png", plainPNG(t, 9, 9, blue))
	address := sign(`{"width":10}`)
	k.do(call{method: "GET", path: strings.Replace(address, "red", "blue", 1)}).want(t, http.StatusBadRequest, "InvalidSignature")
	k.do(call{method: "GET", path: address + "x"}).want(t, http.StatusBadRequest, "InvalidJWT")
	path, _, _ := strings.Cut(address, "?")
	k.do(call{method: "GET", path: path}).want(t, http.StatusBadRequest, "InvalidRequest")
	k.do(call{
		method: "POST", path: "/object/sign/own/" + ana + "/red.png", as: k.token(ben), body: `{"expiresIn":60,"transform":{"width":10}}`,
	}).want(t, http.StatusBadRequest, "NoSuchKey")
}

func TestConcurrentRenders(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t)
	k.store("open", "large.png", "image/png", plainPNG(t, 2000, 1000, red))
	var all sync.WaitGroup
	for i := range 48 {
		all.Go(func() {
			path := fmt.Sprintf("/render/image/public/open/%s/large.png?width=%d", ana, 100+2*(i%3))
			if got, want := k.do(call{method: "GET", path: path}).shows(t), fmt.Sprintf("png %d×%d red", 100+2*(i%3), 50+i%3); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	all.Wait()
}

func TestSettingsOfPictures(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t, "IMAGE_TRANSFORMATION_LIMIT_MIN_SIZE=4", "IMAGE_TRANSFORMATION_LIMIT_MAX_SIZE=8")
	for width, want := range map[string]string{"1": "png 4×2 red", "6": "png 6×3 red", "100": "png 8×4 red"} {
		if got := k.do(call{method: "GET", path: renderOpen + "?width=" + width}).shows(t); got != want {
			t.Errorf("width=%s: %s, want %s", width, got, want)
		}
	}
	off := startWithPictures(t, "IMAGE_TRANSFORMATION_ENABLED=false")
	for _, path := range []string{renderOpen, renderOwn, strings.Replace(renderOpen, "public", "sign", 1) + "?token=x"} {
		off.do(call{method: "GET", path: path, as: off.token(ana)}).want(t, http.StatusNotFound, "InvalidRequest")
	}
	plain := off.do(call{method: "POST", path: "/object/sign/own/" + ana + "/red.png", as: off.token(ana), body: `{"expiresIn":60,"transform":{"width":10}}`})
	if !strings.Contains(plain.body, `"/object/sign/own/`) {
		t.Errorf("signed %s", plain.body)
	}
}
