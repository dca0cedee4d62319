package storage_test

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"image"
	"image/jpeg"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// photoWithPlace returns a photo with the place where it was taken, and the same without
// metadata.
func photoWithPlace(t *testing.T) (photo, clean string) {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, image.NewRGBA(image.Rect(0, 0, 64, 48)), nil); err != nil {
		t.Fatal(err)
	}
	clean = out.String()
	const exif = "Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00Carrer Major 1"
	return clean[:2] + "\xff\xe1\x00" + string(rune(len(exif)+2)) + exif + clean[2:] + "and a film of Carrer Major", clean
}

// S-39: however an image is uploaded to a bucket that strips metadata, it is stored
// without metadata, and its row describes the stored file.
func TestPicturesWithoutMetadata(t *testing.T) {
	t.Parallel()
	photo, clean := photoWithPlace(t)
	jpegs := map[string]string{"Content-Type": "image/jpeg"}
	for name, come := range map[string]func(*kit) string{
		"a plain upload": func(k *kit) string {
			k.do(call{method: "POST", path: "/object/open/" + ana + "/a.jpg", as: k.token(ana), header: jpegs, body: photo}).want(t, 200, "")
			return ana + "/a.jpg"
		},
		"a form": func(k *kit) string {
			form := "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n" + photo + "\r\n--x--\r\n"
			k.do(call{method: "POST", path: "/object/open/" + ana + "/f.jpg", as: k.token(ana), header: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}, body: form}).want(t, 200, "")
			return ana + "/f.jpg"
		},
		"a resumable upload": func(k *kit) string {
			u := k.resumable(k.token(ana))
			path := u.path(u.create(len(photo), "bucketName", "open", "objectName", ana+"/t.jpg", "contentType", "image/jpeg").want(t, 201, ""))
			u.patch(path, 0, photo[:700]).want(t, 204, "")
			u.patch(path, 700, photo[700:]).want(t, 204, "")
			if got := u.offset(path); got != strconv.Itoa(len(photo)) {
				t.Errorf("the response announces %s bytes, the client has sent %d", got, len(photo))
			}
			return ana + "/t.jpg"
		},
		"the S3 protocol": func(k *kit) string {
			_, err := k.sdk(projectKeys()).PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String("open"), Key: aws.String("s3.jpg"), ContentType: aws.String("image/jpeg"), Body: strings.NewReader(photo)})
			wantS3(t, err, "")
			return "s3.jpg"
		},
		"parts of the S3 protocol": func(k *kit) string {
			c, bucket, key := k.sdk(projectKeys()), aws.String("open"), aws.String("parts.jpg")
			begun, err := c.CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{Bucket: bucket, Key: key, ContentType: aws.String("image/jpeg")})
			wantS3(t, err, "")
			part, err := c.UploadPart(t.Context(), &s3.UploadPartInput{Bucket: bucket, Key: key, UploadId: begun.UploadId, PartNumber: aws.Int32(1), Body: strings.NewReader(photo)})
			wantS3(t, err, "")
			made, err := c.CompleteMultipartUpload(t.Context(), &s3.CompleteMultipartUploadInput{
				Bucket: bucket, Key: key, UploadId: begun.UploadId,
				MultipartUpload: &types.CompletedMultipartUpload{Parts: []types.CompletedPart{{PartNumber: aws.Int32(1), ETag: part.ETag}}},
			})
			wantS3(t, err, "")
			if want := fmt.Sprintf("%q", fmt.Sprintf("%x", md5.Sum([]byte(clean)))); made == nil || aws.ToString(made.ETag) != want {
				t.Errorf("completed as %+v, want ETag %s", made, want)
			}
			return "parts.jpg"
		},
		"a copy": func(k *kit) string {
			k.store("own", "c.jpg", "image/jpeg", photo)
			body := `{"bucketId":"own","sourceKey":"` + ana + `/c.jpg","destinationBucket":"open","destinationKey":"` + ana + `/copy.jpg"}`
			k.do(call{method: "POST", path: "/object/copy", as: k.token(ana), body: body}).want(t, 200, "")
			return ana + "/copy.jpg"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := start(t)
			k.exec(`update storage.buckets set strip_metadata = true where id = 'open'`)
			key := come(k)
			got := k.do(call{method: "GET", path: "/object/public/open/" + key})
			if got.body != clean {
				t.Errorf("%d: %d bytes are kept, want %d", got.StatusCode, len(got.body), len(clean))
			}
			var size int
			var etag string
			if err := k.db.QueryRow(t.Context(), `select (metadata->>'size')::int, metadata->>'eTag' from storage.objects where name = $1`, key).Scan(&size, &etag); err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf(`"%x"`, md5.Sum([]byte(clean))); size != len(clean) || etag != want || got.Header.Get("ETag") != want {
				t.Errorf("the row has %d bytes with ETag %s, want %d with %s", size, etag, len(clean), want)
			}
		})
	}
}

// RULE-19, STORE-05: a file that only starts like an image is refused, however it is
// uploaded, and nothing of it is stored.
func TestMalformedPictures(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`update storage.buckets set strip_metadata = true, allowed_mime_types = array['image/jpeg', 'image/png'] where id = 'open'`)
	const text = "\x89PNG\r\n\x1a\nand then only text"
	png := map[string]string{"Content-Type": "image/png"}
	k.do(call{method: "POST", path: "/object/open/" + ana + "/a.png", as: k.token(ana), header: png, body: text}).want(t, 400, "InvalidMimeType")
	k.do(call{method: "POST", path: "/object/open/" + ana + "/b.png", as: k.token(ana), header: png, body: "only text"}).want(t, 400, "InvalidMimeType")
	u := k.resumable(k.token(ana))
	path := u.path(u.create(len(text), "bucketName", "open", "objectName", ana+"/c.png", "contentType", "image/png").want(t, 201, ""))
	if got := u.patch(path, 0, text); got.StatusCode != 415 {
		t.Errorf("resumable: %d %s", got.StatusCode, got.body)
	}
	if got := u.send("HEAD", path, "", nil); got.StatusCode != 404 {
		t.Errorf("the upload that was refused goes on: %d", got.StatusCode)
	}
	var left int
	if err := k.db.QueryRow(t.Context(), `select count(*) from storage.objects`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d objects, %v", left, err)
	}
	k.sweptClean()
}

// S-39: a move would bring metadata into the bucket.
func TestMovesIntoABucketWithoutMetadata(t *testing.T) {
	t.Parallel()
	k := startWithPictures(t)
	k.exec(`update storage.buckets set strip_metadata = true where id = 'open'`)
	move := func(from, to string) answer {
		return k.do(call{method: "POST", path: "/object/move", as: k.token(ana), body: `{"bucketId":"` + from + `","sourceKey":"` + ana + `/red.png","destinationBucket":"` + to + `","destinationKey":"` + ana + `/moved.png"}`})
	}
	move("own", "open").want(t, 400, "InvalidRequest")
	// It is also refused if the bucket's setting cannot be read.
	k.exec(`alter table storage.buckets rename column strip_metadata to hidden`)
	move("own", "open").want(t, 400, "DatabaseSchemaMismatch")
	k.exec(`alter table storage.buckets rename column hidden to strip_metadata`)
	move("open", "open").want(t, 200, "")
}

// A function in a policy can give the reason for a refusal.
func TestPolicyCanGiveAReason(t *testing.T) {
	t.Parallel()
	k := start(t)
	k.exec(`create function full_house() returns boolean language plpgsql as $$ begin
			raise exception using errcode = 'PT403', message = 'Your plan allows 5 photos'; end $$;
		create policy house on storage.objects for insert to authenticated with check (bucket_id = 'shut' and full_house())`)
	text := map[string]string{"Content-Type": "text/plain"}
	got := k.do(call{method: "POST", path: "/object/shut/a", as: k.token(ana), header: text, body: "a"}).want(t, 400, "AccessDenied")
	if !strings.Contains(got.body, `"message":"Your plan allows 5 photos"`) || !strings.Contains(got.body, `"statusCode":"403"`) {
		t.Error(got.body)
	}
	u := k.resumable(k.token(ana))
	if got := u.create(1, "bucketName", "shut", "objectName", "a", "contentType", "text/plain"); got.StatusCode != 403 || got.body != "Your plan allows 5 photos" {
		t.Errorf("resumable: %d %q", got.StatusCode, got.body)
	}
}
