package s3

import (
	"encoding/json"
	"encoding/xml"
	"net/http"

	"plaza/storage/core"
)

type bucketEntry struct {
	Name         string
	CreationDate string `xml:",omitempty"`
}

func (s *Server) listBuckets(w http.ResponseWriter, r *http.Request, c *request) error {
	found, err := s.core.Buckets.List(r.Context(), c.Call, core.BucketList{Column: "name"})
	if err != nil {
		return err
	}
	var rows []core.Bucket
	if err := json.Unmarshal(found, &rows); err != nil {
		return err
	}
	answer := struct {
		XMLName xml.Name      `xml:"http://s3.amazonaws.com/doc/2006-03-01/ ListAllMyBucketsResult"`
		Owner   owner         `xml:"Owner"`
		Buckets []bucketEntry `xml:"Buckets>Bucket"`
	}{Owner: owner{c.Who.Subject}}
	for _, row := range rows {
		entry := bucketEntry{Name: row.Name}
		if row.Created != nil {
			entry.CreationDate = *row.Created
		}
		answer.Buckets = append(answer.Buckets, entry)
	}
	return writeXML(w, http.StatusOK, answer)
}

type owner struct {
	ID string
}

func (s *Server) createBucket(w http.ResponseWriter, r *http.Request, c *request) error {
	public := r.Header.Get("X-Amz-Acl") == "public-read"
	if err := s.core.Buckets.Create(r.Context(), c.Call, c.bucket, c.bucket, core.Change{Public: &public}); err != nil {
		return err
	}
	w.Header().Set("Location", "/"+c.bucket)
	w.WriteHeader(http.StatusOK)
	return nil
}

func (s *Server) headBucket(w http.ResponseWriter, r *http.Request, c *request) error {
	if _, err := s.core.Buckets.Find(r.Context(), c.Call, c.bucket); err != nil {
		return err
	}
	w.Header().Set("X-Amz-Bucket-Region", s.cfg.Region)
	w.WriteHeader(http.StatusOK)
	return nil
}

func (s *Server) deleteBucket(w http.ResponseWriter, r *http.Request, c *request) error {
	if err := s.core.Buckets.Delete(r.Context(), c.Call, c.bucket); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) bucketLocation(w http.ResponseWriter, r *http.Request, c *request) error {
	if _, err := s.core.Buckets.Find(r.Context(), c.Call, c.bucket); err != nil {
		return err
	}
	return writeXML(w, http.StatusOK, struct {
		XMLName xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ LocationConstraint"`
		Region  string   `xml:",chardata"`
	}{Region: s.cfg.Region})
}

// bucketVersioning responds that versioning is suspended.
func (s *Server) bucketVersioning(w http.ResponseWriter, r *http.Request, c *request) error {
	if _, err := s.core.Buckets.Find(r.Context(), c.Call, c.bucket); err != nil {
		return err
	}
	return writeXML(w, http.StatusOK, struct {
		XMLName   xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ VersioningConfiguration"`
		Status    string
		MfaDelete string
	}{Status: "Suspended", MfaDelete: "Disabled"})
}
