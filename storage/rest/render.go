package rest

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/storage/core"
	"plaza/storage/image"
	"plaza/storage/render"
	"plaza/storage/storageerr"
)

func (s *Server) renderPublic(w http.ResponseWriter, r *http.Request, c *request) error {
	return s.renderQuery(w, r, s.public(c))
}

func (s *Server) renderVisible(w http.ResponseWriter, r *http.Request, c *request) error {
	return s.renderQuery(w, r, s.visible(c))
}

// renderQuery renders an image with the options in the query.
func (s *Server) renderQuery(w http.ResponseWriter, r *http.Request, row find) error {
	if s.pictures == nil {
		return notFound(r)
	}
	options, err := image.ParseOptions(r.URL.Query(), s.pictures.Sides())
	if err != nil {
		return parameterError(err, "querystring")
	}
	return s.sendPicture(w, r, row, options, nil)
}

// renderSigned renders an image with the options in the token: a signed URL is valid
// only for one transformation.
func (s *Server) renderSigned(w http.ResponseWriter, r *http.Request, c *request) error {
	if s.pictures == nil {
		return notFound(r)
	}
	signed, row, err := s.signed(r, c)
	if err != nil {
		return err
	}
	options, err := image.ParseClaim(signed.Transformations, s.pictures.Sides())
	if err != nil {
		return parameterError(err, "querystring/token")
	}
	if options.Format == "" && signed.Format == "origin" {
		options.Format = signed.Format
	}
	return s.sendPicture(w, r, row, options, &signed.Expires)
}

// parameterError returns the client's error for an invalid option, with its location.
func parameterError(err error, where string) error {
	var bad *image.ParameterError
	if !errors.As(err, &bad) {
		return err
	}
	return invalid(where + "/" + bad.Name + " " + bad.Reason)
}

// retryAfter is the value of Retry-After if the server is too busy, in seconds.
const retryAfter = "1"

// sendPicture responds with a transformed image, a part of it, or 304. Ranges and
// conditions apply to the transformed image. expires is set for a signed URL.
func (s *Server) sendPicture(w http.ResponseWriter, r *http.Request, row find, options image.Options, expires *time.Time) error {
	if options.Format == "" {
		w.Header().Add("Vary", "Accept")
	}
	for again := false; ; again = true {
		found, err := row(r.Context())
		if err != nil {
			return err
		}
		wanted := render.Wanted{Object: found, Options: options, WebP: acceptsWebP(r.Header)}
		made := found
		made.ETag, made.MimeType = s.pictures.ETag(wanted), ""
		switch precondition(r.Header, made) {
		case http.StatusNotModified:
			setHeaders(w.Header(), r, made, expires)
			w.WriteHeader(http.StatusNotModified)
			return nil
		case http.StatusPreconditionFailed:
			return errPrecondition
		}
		file, contentType, err := s.pictures.Open(r.Context(), wanted)
		if err != nil && s.core.Gone(found, err) && !again {
			continue // a concurrent write has replaced the row or the bytes
		}
		if err != nil {
			if known := apierr.As(err); known != nil && known.Status == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", retryAfter)
				err = known.WithHint("Too Many Requests")
			}
			return storageerr.FromBlobs(err)
		}
		made.MimeType = contentType
		setUnlessEmpty(w.Header(), "X-Transformations", options.Applied())
		return sendFile(w, r, made, file, expires)
	}
}

// sendFile responds with a file or a part of it, and closes the file.
func sendFile(w http.ResponseWriter, r *http.Request, o core.Object, file *os.File, expires *time.Time) error {
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	part, err := rangeOf(r, o, info.Size())
	if err != nil {
		w.Header().Set("Content-Range", "bytes */"+strconv.FormatInt(info.Size(), 10))
		return err
	}
	if _, err := file.Seek(part.from, 0); err != nil {
		return err
	}
	setHeaders(w.Header(), r, o, expires)
	if r.Method == http.MethodHead {
		sendPart(w, r, nil, part, info.Size())
	} else {
		sendPart(w, r, file, part, info.Size())
	}
	return nil
}

// acceptsWebP reports whether the Accept header lists WebP. "*/*" is not sufficient,
// because clients that do not support WebP send it, too.
func acceptsWebP(header http.Header) bool {
	for _, list := range header.Values("Accept") {
		for one := range strings.SplitSeq(list, ",") {
			kind, parameters, err := mime.ParseMediaType(one)
			if err != nil || kind != "image/webp" {
				continue
			}
			weight, err := strconv.ParseFloat(parameters["q"], 64)
			return err != nil || weight > 0
		}
	}
	return false
}

// transform reads the transformations for a signed URL, in the format of its token. They
// are empty if there are none. If image transformation is disabled, they are checked but
// have no effect.
func (s *Server) transform(body *fields) (transformations, format string, err error) {
	if _, given := body.given["transform"]; !given {
		return "", "", nil
	}
	wanted := body.in("transform")
	query := url.Values{}
	for _, name := range []string{"width", "height", "quality"} {
		if number := wanted.integer(name, 0); number != nil {
			query.Set(name, strconv.FormatInt(*number, 10))
		}
	}
	for _, name := range []string{"resize", "format", "gravity", "x_offset", "y_offset"} {
		query.Set(name, wanted.text(name))
	}
	if body.err = wanted.err; body.err != nil {
		return "", "", body.err
	}
	sides := image.DefaultSides
	if s.pictures != nil {
		sides = s.pictures.Sides()
	}
	options, err := image.ParseOptions(query, sides)
	if err != nil || s.pictures == nil {
		return "", "", parameterError(err, wanted.where)
	}
	return options.Claim(), options.Format, nil
}

// signedPath returns the path of a signed URL, which depends on whether the image is
// transformed.
func signedPath(transformations string) string {
	if transformations == "" {
		return "/object/sign/"
	}
	return "/render/image/sign/"
}
