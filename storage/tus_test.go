package storage_test

import (
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"plaza/storage/blob/blobtest"
	"plaza/tests/testkit/s3server"
)

// described returns an Upload-Metadata header.
func described(pairs ...string) string {
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, pairs[i]+" "+base64.StdEncoding.EncodeToString([]byte(pairs[i+1])))
	}
	return strings.Join(all, ",")
}

// resumable is a client of the protocol.
type resumable struct {
	*kit
	as, endpoint string
	header       map[string]string // sent with every request
}

func (k *kit) resumable(as string) resumable {
	return resumable{kit: k, as: as, endpoint: "/upload/resumable", header: map[string]string{"Tus-Resumable": "1.0.0"}}
}

func (u resumable) with(name, value string) resumable {
	u.header = maps.Clone(u.header)
	u.header[name] = value
	return u
}

func (u resumable) send(method, path, body string, header map[string]string) answer {
	u.t.Helper()
	all := maps.Clone(u.header)
	maps.Copy(all, header)
	return u.do(call{method: method, path: path, as: u.as, header: all, body: body})
}

// begin creates an upload for a key in bucket own and returns its path.
func (u resumable) begin(key string, length int) string {
	u.t.Helper()
	got := u.create(length, "bucketName", "own", "objectName", key, "contentType", "text/plain", "cacheControl", "60", "metadata", `{"a":"b"}`)
	got.want(u.t, http.StatusCreated, "")
	return u.path(got)
}

func (u resumable) path(got answer) string {
	u.t.Helper()
	path, is := strings.CutPrefix(got.Header.Get("Location"), u.web.URL+"/storage/v1")
	if !is {
		u.t.Fatalf("Location %q", got.Header.Get("Location"))
	}
	return path
}

func (u resumable) create(length int, pairs ...string) answer {
	u.t.Helper()
	return u.send("POST", u.endpoint, "", map[string]string{"Upload-Length": strconv.Itoa(length), "Upload-Metadata": described(pairs...)})
}

func (u resumable) patch(path string, offset int, body string) answer {
	u.t.Helper()
	return u.send("PATCH", path, body, map[string]string{"Upload-Offset": strconv.Itoa(offset), "Content-Type": "application/offset+octet-stream"})
}

func (u resumable) offset(path string) string {
	u.t.Helper()
	return u.send("HEAD", path, "", nil).want(u.t, 200, "").Header.Get("Upload-Offset")
}

// onS3 are settings that store blobs in an S3 bucket.
func onS3(t *testing.T) []string {
	t.Helper()
	bytes := s3server.Start(t)
	bytes.Bucket(t, "objects")
	return []string{
		"STORAGE_BACKEND=s3", "STORAGE_S3_BUCKET=objects", "STORAGE_S3_ENDPOINT=" + bytes.Endpoint, "STORAGE_S3_FORCE_PATH_STYLE=true",
		"STORAGE_S3_REGION=" + s3server.Region, "STORAGE_S3_ACCESS_KEY_ID=" + s3server.AccessKey, "STORAGE_S3_SECRET_ACCESS_KEY=" + s3server.SecretKey,
	}
}

func TestResumableUploadInParts(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]func(*testing.T) []string{"disk": func(*testing.T) []string { return nil }, "s3": onS3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := start(t, settings(t)...)
			u := k.resumable(k.token(ana))
			key := ana + "/pieces.txt"
			whole := string(blobtest.Bytes(7, 11<<20))
			path := u.begin(key, len(whole))
			for _, end := range []int{10, 11, 3 << 20, 6<<20 + 5, 6<<20 + 6, len(whole)} {
				at, err := strconv.Atoi(u.offset(path))
				if err != nil {
					t.Fatal(err)
				}
				got := u.patch(path, at, whole[at:end]).want(t, 204, "")
				complete, expires := got.Header.Get("Tus-Complete"), got.Header.Get("Upload-Expires")
				if last := end == len(whole); got.Header.Get("Upload-Offset") != strconv.Itoa(end) || (complete == "1") != last || (expires == "") != last {
					t.Errorf("after %d: %v", end, got.Header)
				}
			}
			got := k.do(call{method: "GET", path: "/object/own/" + key, as: u.as}).want(t, 200, "")
			if got.body != whole {
				t.Errorf("%d bytes that are not those sent", len(got.body))
			}
			if got.Header.Get("Content-Type") != "text/plain" || got.Header.Get("Cache-Control") != "max-age=60" {
				t.Errorf("headers %v", got.Header)
			}
			info := k.do(call{method: "GET", path: "/object/info/own/" + key, as: u.as}).want(t, 200, "")
			var fetched struct {
				ETag     string
				Metadata map[string]string
			}
			info.json(t, &fetched)
			if want := fmt.Sprintf("%q", fmt.Sprintf("%x", md5.Sum([]byte(whole)))); fetched.ETag != want || fetched.Metadata["a"] != "b" {
				t.Errorf("%+v, want ETag %s", fetched, want)
			}

			// The response to the last request may have been lost.
			if at := u.offset(path); at != strconv.Itoa(len(whole)) {
				t.Errorf("offset of what is finished: %s", at)
			}
			u.patch(path, len(whole), "").want(t, 204, "")
			u.patch(path, len(whole), "x").want(t, 413, "")
			if got := u.send("DELETE", path, "", nil).want(t, 400, ""); got.body != "Cannot terminate an already completed upload" {
				t.Error(got.body)
			}
			k.sweptClean()
		})
	}
}

// sweptClean fails if a blob of an upload is listed as unused.
func (k *kit) sweptClean() {
	k.t.Helper()
	var tails int
	err := k.db.QueryRow(k.t.Context(), `select count(*) from storage.unused_blobs b join storage.resumable_uploads u
		on b.name in (storage.blob_name('', '', u.version), storage.blob_name('', '', nullif(u.tail, '')))`).Scan(&tails)
	if err != nil || tails != 0 {
		k.t.Errorf("%d blobs of uploads are noted (%v)", tails, err)
	}
}

func TestResumableCreationWithUpload(t *testing.T) {
	t.Parallel()
	k := start(t)
	u := k.resumable(k.token(ana))
	for body, complete := range map[string]bool{"0123456789": true, "0123": false, "": true} {
		key := fmt.Sprintf("%s/with-%d", ana, len(body))
		length := max(10, len(body))
		if body == "" {
			length = 0
		}
		got := u.send("POST", u.endpoint, body, map[string]string{
			"Upload-Length": strconv.Itoa(length), "Content-Type": "application/offset+octet-stream", "Upload-Metadata": described("bucketName", "own", "objectName", key),
		}).want(t, 201, "")
		if got.Header.Get("Upload-Offset") != strconv.Itoa(len(body)) || (got.Header.Get("Upload-Expires") == "") != complete {
			t.Errorf("%d bytes: %v", len(body), got.Header)
		}
		if !complete {
			u.patch(u.path(got), len(body), "456789").want(t, 204, "")
			body = "0123456789"
		}
		if there := k.do(call{method: "GET", path: "/object/own/" + key, as: u.as}).want(t, 200, ""); there.body != body || there.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%q, %v", there.body, there.Header)
		}
	}
}

// Status codes and texts are those of the protocol and of upstream.
func TestResumableRefusals(t *testing.T) {
	t.Parallel()
	k := start(t, "UPLOAD_FILE_SIZE_LIMIT=1000", "UPLOAD_FILE_SIZE_LIMIT_STANDARD=10")
	k.exec(`update storage.buckets set file_size_limit = 100, allowed_mime_types = '{image/png,text/plain}' where id = 'own'`)
	u := k.resumable(k.token(ana))
	key := ana + "/a.txt"
	path := u.begin(key, 50)
	meta := func(pairs ...string) map[string]string {
		return map[string]string{"Upload-Length": "20", "Upload-Metadata": described(pairs...)}
	}
	mine := meta("bucketName", "own", "objectName", ana+"/new", "contentType", "text/plain")
	patch := map[string]string{"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
	but := func(header map[string]string, name, value string) map[string]string {
		header = maps.Clone(header)
		header[name] = value
		return header
	}
	missing := "/upload/resumable/" + base64.RawURLEncoding.EncodeToString([]byte("own/"+key+"/00000000-0000-7000-8000-000000000000"))
	for _, test := range []struct {
		what, method, path string
		header             map[string]string
		body               string
		status             int
		text               string
	}{
		{"another version", "POST", u.endpoint, but(mine, "Tus-Resumable", "0.2.2"), "", 412, "Tus-Resumable Required"},
		{"no length", "POST", u.endpoint, but(mine, "Upload-Length", ""), "", 400, "Upload-Length or"},
		{"an invalid length", "POST", u.endpoint, but(mine, "Upload-Length", "-1"), "", 400, "Invalid upload-length"},
		{"a deferred length", "POST", u.endpoint, but(mine, "Upload-Defer-Length", "1"), "", 501, "creation-defer-length"},
		{"a part of several", "POST", u.endpoint, but(mine, "Upload-Concat", "partial"), "", 501, "Concatenation"},
		{"no metadata", "POST", u.endpoint, but(mine, "Upload-Metadata", ""), "", 400, "Metadata header is required"},
		{"invalid metadata", "POST", u.endpoint, but(mine, "Upload-Metadata", "a ,b *"), "", 400, "Invalid upload-metadata"},
		{"no bucket", "POST", u.endpoint, meta("bucketName", "gone", "objectName", "a"), "", 404, "Bucket not found"},
		{"no name of a bucket", "POST", u.endpoint, meta("objectName", "a"), "", 400, "Bucket name invalid"},
		{"no key", "POST", u.endpoint, meta("bucketName", "own", "objectName", "a\n"), "", 400, "Invalid key"},
		{"another's folder", "POST", u.endpoint, meta("bucketName", "own", "objectName", ben+"/a", "contentType", "text/plain"), "", 403, "new row violates row-level security policy"},
		{"a type that is not allowed", "POST", u.endpoint, meta("bucketName", "own", "objectName", ana+"/b", "contentType", "text/html"), "", 415, "mime type text/html is not supported"},
		{"over the bucket's limit", "POST", u.endpoint, but(mine, "Upload-Length", "101"), "", 413, "Maximum size exceeded"},
		{"over its own length", "POST", u.endpoint, but(mine, "Content-Type", "application/offset+octet-stream"), strings.Repeat("x", 21), 413, "upload's size exceeded"},

		{"no such upload", "PATCH", missing, patch, "x", 404, "was not found"},
		{"an invalid upload URL", "PATCH", "/upload/resumable/nonsense", patch, "x", 404, "was not found"},
		{"no offset", "PATCH", path, but(patch, "Upload-Offset", ""), "x", 403, "Upload-Offset header required"},
		{"an invalid offset", "PATCH", path, but(patch, "Upload-Offset", "1e1"), "x", 400, "Invalid upload-offset"},
		{"another offset", "PATCH", path, but(patch, "Upload-Offset", "5"), "x", 409, "Upload-Offset conflict"},
		{"another type", "PATCH", path, but(patch, "Content-Type", "text/plain"), "x", 415, "Content-Type must be"},
		{"more than its length", "PATCH", path, patch, strings.Repeat("x", 51), 413, "upload's size exceeded"},
		{"an unknown method", "PUT", path, patch, "x", 404, "Not found"},
		{"a signature that is missing", "POST", u.endpoint + "/sign", mine, "", 400, "Missing x-signature header"},
		{"an invalid signature", "POST", u.endpoint + "/sign", but(mine, "X-Signature", "nonsense"), "", 400, "Invalid Compact JWS"},
		{"the state of an unknown upload", "HEAD", missing, nil, "", 404, ""},
		{"the deletion of an unknown upload", "DELETE", missing, nil, "", 404, "was not found"},
	} {
		got := u.send(test.method, test.path, test.body, test.header)
		if got.StatusCode != test.status || !strings.Contains(got.body, test.text) || got.Header.Get("Tus-Resumable") != "1.0.0" || got.Header.Get("Location") != "" {
			t.Errorf("%s: %d %q %v", test.what, got.StatusCode, got.body, got.Header)
		}
		if test.status == 412 && got.Header.Get("Tus-Version") != "1.0.0" {
			t.Errorf("%s: no version in the response", test.what)
		}
	}
	if at := u.offset(path); at != "0" {
		t.Errorf("after refusals the offset is %s", at)
	}
	k.resumable("").create(5, "bucketName", "own", "objectName", "a").want(t, 400, "AccessDenied")
}

func TestResumableUploadsUnderPolicies(t *testing.T) {
	t.Parallel()
	k := start(t)
	u := k.resumable(k.token(ana))
	path := u.begin(ana+"/a", 10)
	u.patch(path, 0, "01234").want(t, 204, "")

	if got := k.resumable(k.token(ben)).patch(path, 5, "56789"); got.StatusCode != 403 {
		t.Errorf("another user goes on: %d %s", got.StatusCode, got.body)
	}
	if got := k.resumable(k.token(ben)).send("DELETE", path, "", nil); got.StatusCode != 403 {
		t.Errorf("another user ends it: %d", got.StatusCode)
	}
	k.exec(`drop policy own_insert on storage.objects`)
	if got := u.patch(path, 5, "56789"); got.StatusCode != 403 {
		t.Errorf("the right was taken meanwhile: %d", got.StatusCode)
	}
	k.exec(`create policy again on storage.objects for insert to authenticated
		with check (storage.operation() in ('storage.tus.upload.part', 'storage.tus.upload.create') and (metadata->>'contentLength')::int = 10 and metadata->>'mimetype' = 'text/plain' and owner_id = (select auth.uid())::text)`)
	u.patch(path, 5, "56789").want(t, 204, "")
	var owner, operation string
	if err := k.db.QueryRow(t.Context(), `select owner_id, user_metadata->>'a' from storage.objects where name = $1`, ana+"/a").Scan(&owner, &operation); err != nil || owner != ana || operation != "b" {
		t.Errorf("%q %q %v", owner, operation, err)
	}

	if got := u.create(10, "bucketName", "own", "objectName", ana+"/a", "contentType", "text/plain"); got.StatusCode != 409 {
		t.Errorf("it is there already: %d %s", got.StatusCode, got.body)
	}
	over := u.with("X-Upsert", "true")
	path = over.begin(ana+"/a", 10)
	if got := u.patch(path, 0, "9876543210"); got.StatusCode != 409 {
		t.Errorf("a request without x-upsert: %d", got.StatusCode)
	}
	over.patch(path, 0, "9876543210").want(t, 204, "")
	if got := k.do(call{method: "GET", path: "/object/own/" + ana + "/a", as: u.as}); got.body != "9876543210" {
		t.Errorf("%q", got.body)
	}
}

// If two uploads create the same key, one succeeds and the other is deleted.
func TestResumableUploadsOfOneKey(t *testing.T) {
	t.Parallel()
	k := start(t)
	u := k.resumable(k.token(ana))
	one, two := u.begin(ana+"/a", 3), u.begin(ana+"/a", 3)
	u.patch(two, 0, "t").want(t, 204, "")
	u.patch(one, 0, "one").want(t, 204, "")
	if got := u.patch(two, 1, "wo"); got.StatusCode != 409 || got.body != "The resource already exists" {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
	if got := k.do(call{method: "GET", path: "/object/own/" + ana + "/a", as: u.as}); got.body != "one" {
		t.Errorf("%q", got.body)
	}
}

func TestSignedResumableUpload(t *testing.T) {
	t.Parallel()
	k := start(t)
	mine := k.token(ana)
	var signed struct{ Token string }
	k.do(call{method: "POST", path: "/object/upload/sign/own/" + ana + "/s", as: mine}).want(t, 200, "").json(t, &signed)
	u := k.resumable("").with("X-Signature", signed.Token)
	u.endpoint += "/sign"
	k.exec(`drop policy own_insert on storage.objects`)
	path := u.begin(ana+"/s", 5)
	if !strings.HasPrefix(path, "/upload/resumable/sign/") {
		t.Errorf("path %s", path)
	}
	if got := u.create(5, "bucketName", "own", "objectName", ana+"/other"); got.StatusCode != 400 || got.body != "Invalid signature" {
		t.Errorf("another object: %d %s", got.StatusCode, got.body)
	}
	if got := k.resumable("").send("HEAD", path, "", nil); got.StatusCode != 400 {
		t.Errorf("without the signature: %d", got.StatusCode)
	}
	u.patch(path, 0, "0123").want(t, 204, "")
	if at := u.offset(path); at != "4" {
		t.Errorf("offset %s", at)
	}
	u.patch(path, 4, "4").want(t, 204, "")
	var owner string
	if err := k.db.QueryRow(t.Context(), `select owner_id from storage.objects where name = $1`, ana+"/s").Scan(&owner); err != nil || owner != ana {
		t.Errorf("owner %q %v", owner, err)
	}
}

func TestResumableUploadIsDeletedOrExpires(t *testing.T) {
	t.Parallel()
	k := start(t)
	u := k.resumable(k.token(ana))
	path := u.begin(ana+"/a", 20_000)
	u.patch(path, 0, "x").want(t, 204, "") // stored as the upload's tail
	u.patch(path, 1, strings.Repeat("x", 10_000)).want(t, 204, "")
	u.patch(path, 10_001, "x").want(t, 204, "")
	u.send("DELETE", path, "", nil).want(t, 204, "")
	u.send("HEAD", path, "", nil).want(t, 404, "")
	u.patch(path, 10_002, "x").want(t, 404, "")

	path = u.begin(ana+"/b", 10)
	k.exec(`update storage.resumable_uploads set expires_at = now() - interval '1 second'`)
	u.send("HEAD", path, "", nil).want(t, 410, "")
	u.patch(path, 0, "x").want(t, 410, "")
}

// The bucket's allowed types are checked with the first bytes, or with the whole
// content if the first bytes arrived one by one.
func TestResumableUploadOfAnotherType(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`update storage.buckets set allowed_mime_types = '{image/png}' where id = 'own'`)
	u := k.resumable(k.token(ana))
	begin := func(length int) string {
		return u.path(u.create(length, "bucketName", "own", "objectName", ana+"/p.png", "contentType", "image/png").want(t, 201, ""))
	}
	path := begin(1000)
	if got := u.patch(path, 0, strings.Repeat("<p>", 200)); got.StatusCode != 415 || u.offset(path) != "0" {
		t.Errorf("the first bytes: %d %s", got.StatusCode, got.body)
	}
	path = begin(6)
	u.patch(path, 0, "<p>").want(t, 204, "")
	if got := u.patch(path, 3, "<b>"); got.StatusCode != 415 {
		t.Errorf("the whole: %d %s", got.StatusCode, got.body)
	}
	u.send("HEAD", path, "", nil).want(t, 404, "")
	k.do(call{method: "GET", path: "/object/own/" + ana + "/p.png", as: u.as}).want(t, 400, "NoSuchKey")
}
