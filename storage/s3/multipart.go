package s3

import (
	"encoding/base64"
	"encoding/xml"
	"io"
	"net/http"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

func (s *Server) beginUpload(w http.ResponseWriter, r *http.Request, c *request) error {
	c.size = core.UnknownSize
	t, err := c.target(r.Header)
	if err != nil {
		return err
	}
	made, err := s.core.Multiparts.Begin(r.Context(), c.Call, t, cacheControl(r.Header))
	if err != nil {
		return err
	}
	return writeXML(w, http.StatusOK, struct {
		XMLName               xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ InitiateMultipartUploadResult"`
		Bucket, Key, UploadId string
	}{Bucket: c.bucket, Key: c.key, UploadId: made.ID})
}

func (s *Server) putPart(w http.ResponseWriter, r *http.Request, c *request) error {
	number, err := c.number("partNumber", 0, 1, 1<<30)
	if err != nil {
		return err
	}
	part, err := s.core.Multiparts.PutPart(r.Context(), c.Call, c.bucket, c.key, c.query.Get("uploadId"), number, c.body, c.size)
	if err != nil {
		httpx.DrainBody(w, r)
		return err
	}
	c.setChecksum(w.Header())
	w.Header().Set("ETag", `"`+part.ETag+`"`)
	w.WriteHeader(http.StatusOK)
	return nil
}

func (s *Server) copyPart(w http.ResponseWriter, r *http.Request, c *request) error {
	number, err := c.number("partNumber", 0, 1, 1<<30)
	if err != nil {
		return err
	}
	bucket, key, err := copySource(r.Header)
	if err != nil {
		return err
	}
	from, err := s.core.Object(r.Context(), c.Call, bucket, key)
	if err == nil {
		err = copyConditions(r.Header, from)
	}
	if err != nil {
		return err
	}
	size, err := s.core.SizeOf(r.Context(), from)
	if err != nil {
		return err
	}
	first, length, err := copyRange(r.Header.Get("X-Amz-Copy-Source-Range"), size)
	if err != nil {
		return err
	}
	body, err := s.core.Open(r.Context(), from, first, length)
	if err != nil {
		return storageerr.FromBlobs(err)
	}
	defer func() { _ = body.Close() }()
	part, err := s.core.Multiparts.PutPart(r.Context(), c.Call, c.bucket, c.key, c.query.Get("uploadId"), number, io.LimitReader(body, length), length)
	if err != nil {
		return err
	}
	return writeXML(w, http.StatusOK, struct {
		XMLName            xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ CopyPartResult"`
		ETag, LastModified string
	}{ETag: `"` + part.ETag + `"`, LastModified: part.Created})
}

// copyRange parses "bytes=first-last". Both must be within the object.
//
// Errors: 400 InvalidRange, as in both Amazon S3 and supabase/storage.
func copyRange(text string, size int64) (first, length int64, err error) {
	if text == "" {
		return 0, size, nil
	}
	digits, ok := strings.CutPrefix(text, "bytes=")
	from, to, both := strings.Cut(digits, "-")
	first, firstErr := strconv.ParseInt(from, 10, 64)
	last, lastErr := strconv.ParseInt(to, 10, 64)
	if !ok || !both || firstErr != nil || lastErr != nil || first < 0 || first > last || last >= size {
		return 0, 0, apierr.New(http.StatusBadRequest, "InvalidRange", "The requested range is not satisfiable")
	}
	return first, last - first + 1, nil
}

type completion struct {
	Part []struct {
		PartNumber int
		ETag       string
	}
}

func (s *Server) completeUpload(w http.ResponseWriter, r *http.Request, c *request) error {
	var asked completion
	if c.size != 0 {
		if err := readXML(c, &asked); err != nil {
			return err
		}
	}
	named := make([]core.PartName, len(asked.Part))
	for i, part := range asked.Part {
		named[i] = core.PartName{Number: part.PartNumber, ETag: part.ETag}
	}
	made, err := s.core.Multiparts.Complete(r.Context(), c.Call, c.bucket, c.key, c.query.Get("uploadId"), named)
	if err != nil {
		return err
	}
	return writeXML(w, http.StatusOK, struct {
		XMLName                     xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ CompleteMultipartUploadResult"`
		Location, Bucket, Key, ETag string
	}{Location: c.bucket + "/" + c.key, Bucket: c.bucket, Key: c.key, ETag: made.ETag})
}

func (s *Server) abortUpload(w http.ResponseWriter, r *http.Request, c *request) error {
	if err := s.core.Multiparts.Abort(r.Context(), c.Call, c.bucket, c.key, c.query.Get("uploadId")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

type partEntry struct {
	PartNumber   int
	LastModified string
	ETag         string
	Size         int64
}

func (s *Server) listParts(w http.ResponseWriter, r *http.Request, c *request) error {
	most, err := c.number("max-parts", maxKeys, 1, maxKeys)
	if err != nil {
		return err
	}
	after, err := c.number("part-number-marker", 0, 0, 1<<30)
	if err != nil {
		return err
	}
	parts, err := s.core.Multiparts.Parts(r.Context(), c.Call, c.bucket, c.key, c.query.Get("uploadId"))
	if err != nil {
		return err
	}
	answer := struct {
		XMLName               xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ ListPartsResult"`
		Bucket, Key, UploadId string
		PartNumberMarker      int
		NextPartNumberMarker  int `xml:",omitempty"`
		MaxParts              int
		IsTruncated           bool
		Part                  []partEntry
	}{Bucket: c.bucket, Key: c.key, UploadId: c.query.Get("uploadId"), PartNumberMarker: after, MaxParts: most}
	for _, part := range parts {
		if part.Number <= after {
			continue
		}
		if answer.IsTruncated = len(answer.Part) == most; answer.IsTruncated {
			answer.NextPartNumberMarker = answer.Part[most-1].PartNumber
			break
		}
		answer.Part = append(answer.Part, partEntry{part.Number, part.Created, `"` + part.ETag + `"`, part.Size})
	}
	return writeXML(w, http.StatusOK, answer)
}

type uploadEntry struct {
	Key, UploadId, Initiated, StorageClass string
}

// uploadList is a page of the multipart uploads in progress in a bucket.
type uploadList struct {
	XMLName                   xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ ListMultipartUploadsResult"`
	Bucket, Prefix            string
	Delimiter, EncodingType   string `xml:",omitempty"`
	KeyMarker, UploadIdMarker string
	NextKeyMarker             string `xml:",omitempty"`
	NextUploadIdMarker        string `xml:",omitempty"`
	MaxUploads                int
	IsTruncated               bool
	Upload                    []uploadEntry
	CommonPrefixes            []commonPrefix
}

func (s *Server) listUploads(w http.ResponseWriter, r *http.Request, c *request) error {
	most, err := c.number("max-uploads", maxKeys, 1, maxKeys)
	if err != nil {
		return err
	}
	if _, err := s.core.Bucket(r.Context(), c.bucket); err != nil {
		return err
	}
	prefix, delimiter := c.query.Get("prefix"), c.query.Get("delimiter")
	answer := uploadList{
		Bucket: c.bucket, Prefix: c.name(prefix), Delimiter: c.name(delimiter), EncodingType: c.query.Get("encoding-type"),
		KeyMarker: c.query.Get("key-marker"), UploadIdMarker: c.query.Get("upload-id-marker"), MaxUploads: most,
	}
	afterKey, afterID := unmark(answer.KeyMarker), unmark(answer.UploadIdMarker)
	if afterKey != "" && afterID == "" {
		afterID = "\U0010FFFF" // after all uploads of the key
	}
	folder := ""
	for count := 0; ; {
		found, err := s.core.Multiparts.List(r.Context(), c.Call, c.bucket, prefix, afterKey, afterID, maxKeys)
		if err != nil {
			return err
		}
		for _, upload := range found {
			inside := ""
			if at := strings.Index(upload.Key[len(prefix):], delimiter); delimiter != "" && at >= 0 {
				inside = upload.Key[:len(prefix)+at+len(delimiter)]
			}
			if inside != "" && inside == folder {
				afterKey, afterID = upload.Key, upload.ID
				continue
			}
			if answer.IsTruncated = count == most; answer.IsTruncated {
				answer.NextKeyMarker, answer.NextUploadIdMarker = mark(afterKey), mark(afterID)
				return writeXML(w, http.StatusOK, answer)
			}
			count++
			afterKey, afterID, folder = upload.Key, upload.ID, inside
			if inside != "" {
				answer.CommonPrefixes = append(answer.CommonPrefixes, commonPrefix{c.name(inside)})
			} else {
				answer.Upload = append(answer.Upload, uploadEntry{c.name(upload.Key), upload.ID, upload.Created, "STANDARD"})
			}
		}
		if len(found) < maxKeys {
			return writeXML(w, http.StatusOK, answer)
		}
	}
}

// mark encodes a key or an id as a marker.
func mark(text string) string { return base64.StdEncoding.EncodeToString([]byte("l:" + text)) }

// unmark decodes a marker. Clients may also pass a plain key or id.
func unmark(text string) string {
	if decoded, err := base64.StdEncoding.DecodeString(text); err == nil {
		if plain, ok := strings.CutPrefix(string(decoded), "l:"); ok {
			return plain
		}
	}
	return text
}
