package image

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Limits of a result's quality. Source: supabase/storage.
const minQuality, maxQuality = 20, 100

// Sides holds the limits of a result's width and height, in pixels.
type Sides struct{ Min, Max int }

// DefaultSides holds the defaults of supabase/storage.
var DefaultSides = Sides{1, 2000}

// Options describes a transformation. The zero value only rotates the image upright.
type Options struct {
	Width, Height int      // pixels; 0 means that it follows from the other
	Resize        string   // cover (the default), contain or fill
	Format        string   // origin, webp or avif; empty means that the client's Accept header decides
	Quality       int      // 20 to 100; 0 means 80
	Gravity       string   // the part that cover keeps: ce, no, soea … , sm or fp
	X, Y          *float64 // offset of the gravity, or the focal point of fp
}

// ParameterError is the error for an invalid option.
type ParameterError struct{ Name, Reason string }

func (e *ParameterError) Error() string { return "querystring/" + e.Name + " " + e.Reason }

// ParseOptions parses options in a query. A width or height outside the limits is clamped.
//
// Errors: *ParameterError.
func ParseOptions(query url.Values, sides Sides) (Options, error) {
	return parseOptions(query.Get, sides)
}

// ParseClaim parses the options of a signed URL, such as
// "height:100,resize:cover,gravity:fp:0:1". It ignores unknown options and the value
// "undefined", which supabase/storage writes for a missing resize mode.
//
// Errors: *ParameterError.
func ParseClaim(text string, sides Sides) (Options, error) {
	values := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		fields := strings.Split(part, ":")
		if len(fields) < 2 || fields[1] == "undefined" {
			continue
		}
		values[fields[0]] = fields[1]
		if fields[0] == "gravity" && len(fields) == 4 {
			values["x_offset"], values["y_offset"] = fields[2], fields[3]
		}
	}
	return parseOptions(func(name string) string { return values[name] }, sides)
}

func parseOptions(get func(name string) string, sides Sides) (Options, error) {
	o := Options{Resize: get("resize"), Format: get("format"), Gravity: get("gravity")}
	for _, number := range []struct {
		name     string
		to       *int
		low, top int
	}{{"width", &o.Width, 0, math.MaxInt32}, {"height", &o.Height, 0, math.MaxInt32}, {"quality", &o.Quality, minQuality, maxQuality}} {
		text := get(number.name)
		if text == "" {
			continue
		}
		value, err := strconv.Atoi(text)
		switch {
		case err != nil:
			return Options{}, &ParameterError{number.name, "must be integer"}
		case value < number.low:
			return Options{}, &ParameterError{number.name, fmt.Sprintf("must be >= %d", number.low)}
		case value > number.top:
			return Options{}, &ParameterError{number.name, fmt.Sprintf("must be <= %d", number.top)}
		}
		*number.to = value
	}
	var err error
	if o.X, err = parseOffset(get, "x_offset"); err != nil {
		return Options{}, err
	}
	if o.Y, err = parseOffset(get, "y_offset"); err != nil {
		return Options{}, err
	}
	o.Width, o.Height = sides.clamp(o.Width), sides.clamp(o.Height)
	return o, o.check()
}

func parseOffset(get func(name string) string, name string) (*float64, error) {
	text := get(name)
	if text == "" {
		return nil, nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		return nil, &ParameterError{name, "must be number"}
	}
	return &value, nil
}

// check validates the enumerated options and the focal point.
//
// Errors: *ParameterError.
func (o Options) check() error {
	for _, choice := range []struct {
		name, value string
		allowed     []string
	}{
		{"resize", o.Resize, []string{"cover", "contain", "fill"}},
		{"format", o.Format, []string{"origin", "avif", "webp"}},
		{"gravity", o.Gravity, []string{"no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp"}},
	} {
		if choice.value != "" && !slices.Contains(choice.allowed, choice.value) {
			return &ParameterError{choice.name, "must be equal to one of the allowed values"}
		}
	}
	if o.Gravity == "fp" {
		for i, at := range []*float64{o.X, o.Y} {
			if at == nil || *at < 0 || *at > 1 {
				return &ParameterError{[]string{"x_offset", "y_offset"}[i], "must be between 0 and 1 for a focal point"}
			}
		}
	}
	return nil
}

// clamp limits a side to the allowed range. It does not change 0.
func (s Sides) clamp(side int) int {
	if side == 0 {
		return 0
	}
	return min(max(side, s.Min), s.Max)
}

// Claim returns the options in the format of signed URLs, which ParseClaim parses.
func (o Options) Claim() string {
	return strings.Join(o.list("resize:"+o.Resize, o.Width+o.Height > 0 && o.Resize != ""), ",")
}

// Applied returns the transformations for the X-Transformations header.
// Source: supabase/storage passes them to imgproxy in this format.
func (o Options) Applied() string {
	kinds := map[string]string{"contain": "fit", "fill": "force"}
	kind := "fill"
	if known, ok := kinds[o.Resize]; ok {
		kind = known
	}
	return strings.Join(o.list("resizing_type:"+kind, o.Width+o.Height > 0), ",")
}

func (o Options) list(resize string, resized bool) []string {
	list := []string{}
	add := func(wanted bool, format string, args ...any) {
		if wanted {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(o.Height > 0, "height:%d", o.Height)
	add(o.Width > 0, "width:%d", o.Width)
	add(resized, "%s", resize)
	add(o.Quality > 0, "quality:%d", o.Quality)
	add(o.Format != "" && o.Format != "origin", "format:%s", o.Format)
	offset := func(at *float64) string {
		if at == nil {
			return "0"
		}
		return strconv.FormatFloat(*at, 'f', -1, 64)
	}
	switch placed := o.X != nil || o.Y != nil; {
	case o.Gravity != "" && o.Gravity != "sm" && placed:
		add(true, "gravity:%s:%s:%s", o.Gravity, offset(o.X), offset(o.Y))
	default:
		add(o.Gravity != "", "gravity:%s", o.Gravity)
	}
	return list
}

// output returns the format of the result for a source format. AVIF cannot be encoded;
// WebP is used instead, because all clients that support AVIF support WebP.
func (o Options) output(source string, webp bool) string {
	switch {
	case o.Format == "webp", o.Format == "avif", o.Format == "" && webp:
		return "webp"
	case source == "webp" && o.Format == "":
		return "jpeg" // the client does not accept WebP
	}
	return source
}
