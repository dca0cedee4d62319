package s3

import (
	"encoding/json"
	"encoding/xml"
	"net/http"

	"plaza/storage/core"
)

// maxKeys is the maximum number of keys on a page. Source: Amazon S3.
const maxKeys = 1000

type contents struct {
	Key          string
	LastModified string `xml:",omitempty"`
	ETag         string
	Size         int64
	StorageClass string
}

type commonPrefix struct {
	Prefix string
}

// listing is a page of objects, for both versions of the operation.
type listing struct {
	XMLName        xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ ListBucketResult"`
	Name           string
	Prefix         string
	Delimiter      string `xml:",omitempty"`
	EncodingType   string `xml:",omitempty"`
	MaxKeys        int
	IsTruncated    bool
	Contents       []contents
	CommonPrefixes []commonPrefix

	KeyCount              *int   // version 2 only, like the following three
	ContinuationToken     string `xml:",omitempty"`
	NextContinuationToken string `xml:",omitempty"`
	StartAfter            string `xml:",omitempty"`

	Marker     *string // version 1 only, like NextMarker
	NextMarker string  `xml:",omitempty"`
}

func (s *Server) listObjects(w http.ResponseWriter, r *http.Request, c *request) error {
	answer, page, err := s.page(r, c, c.query.Get("start-after"), c.query.Get("continuation-token"))
	if err != nil {
		return err
	}
	count := len(answer.Contents) + len(answer.CommonPrefixes)
	answer.KeyCount = &count
	answer.ContinuationToken, answer.NextContinuationToken = c.query.Get("continuation-token"), page.Cursor
	answer.StartAfter = c.name(c.query.Get("start-after"))
	return writeXML(w, http.StatusOK, answer)
}

func (s *Server) listObjectsV1(w http.ResponseWriter, r *http.Request, c *request) error {
	answer, page, err := s.page(r, c, c.query.Get("marker"), "")
	if err != nil {
		return err
	}
	marker := c.name(c.query.Get("marker"))
	answer.Marker = &marker
	if answer.Delimiter != "" {
		answer.NextMarker = c.name(page.CursorKey)
	}
	return writeXML(w, http.StatusOK, answer)
}

// page returns the parts of a page that both versions share.
func (s *Server) page(r *http.Request, c *request, after, cursor string) (listing, core.Page, error) {
	answer := listing{
		Name: c.bucket, Prefix: c.name(c.query.Get("prefix")), Delimiter: c.name(c.query.Get("delimiter")), EncodingType: c.query.Get("encoding-type"),
	}
	var err error
	if answer.MaxKeys, err = c.number("max-keys", maxKeys, 0, maxKeys); err != nil {
		return answer, core.Page{}, err
	}
	if _, err := s.core.Bucket(r.Context(), c.bucket); err != nil || answer.MaxKeys == 0 {
		return answer, core.Page{}, err
	}
	page, err := s.core.List(r.Context(), c.Call, c.bucket, core.List{
		Prefix: c.query.Get("prefix"), Delimiter: c.query.Get("delimiter"), Limit: int64(answer.MaxKeys), Cursor: cursor, After: after,
	})
	if err != nil {
		return answer, page, err
	}
	answer.IsTruncated = page.More
	for _, folder := range page.Folders {
		answer.CommonPrefixes = append(answer.CommonPrefixes, commonPrefix{c.name(folder.Name)})
	}
	for _, entry := range page.Objects {
		answer.Contents = append(answer.Contents, c.contents(entry))
	}
	return answer, page, nil
}

func (c *request) contents(entry core.Entry) contents {
	var metadata struct {
		ETag string `json:"eTag"`
		Size int64  `json:"size"`
	}
	_ = json.Unmarshal(entry.Metadata, &metadata) // SQL may have written arbitrary metadata
	made := contents{Key: c.name(entry.Name), ETag: metadata.ETag, Size: metadata.Size, StorageClass: "STANDARD"}
	if entry.Updated != nil {
		made.LastModified = *entry.Updated
	}
	return made
}
