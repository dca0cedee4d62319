package firstview

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the host may have no time zone database

	"plaza/functions/social/tile"
	"plaza/functions/words"
	"plaza/server/site"
)

//go:embed views/*.html
var views embed.FS

// Options configure Views.
type Options struct {
	TileData []byte      // the client's tile-data.json
	Places   []byte      // the client's places.json
	SiteURL  string      // pictures stored on the site are served in several sizes
	Currency string      // ISO 4217 in capitals, the same as the client's
	Names    words.Names // of categories, amenities and places
	Now      func() time.Time
	Log      *slog.Logger
}

// Views renders the first view of public pages: the HTML that is shown until the client
// runs, and the whole page if scripts are off. The client renders the same layout with the
// same CSS classes; tests/e2e/first-view.spec.ts verifies it.
type Views struct {
	Options

	words     *words.Words
	editions  map[string]*Views // by prefix and language of home
	tiles     *tile.Set
	templates func() (*template.Template, error) // with the functions of words, parsed when first used
	zones     map[string]*time.Location
	places    map[string]string // names by slug
}

// New parses the tiles and the places, and returns the Views.
func New(options Options) (*Views, error) {
	options.SiteURL = strings.TrimSuffix(options.SiteURL, "/")
	v := &Views{Options: options, zones: make(map[string]*time.Location)}
	v.words, _ = words.Of("/", options.Names)
	var err error
	if v.tiles, err = tile.Parse(options.TileData); err != nil {
		return nil, err
	}
	if v.places, err = readPlaces(options.Places); err != nil {
		return nil, fmt.Errorf("first views: %w", err)
	}
	for _, name := range []string{"Europe/Madrid", "Atlantic/Canary", "Europe/Andorra"} {
		if v.zones[name], err = time.LoadLocation(name); err != nil {
			return nil, fmt.Errorf("first views: %w", err)
		}
	}
	v.editions = make(map[string]*Views)
	for _, home := range []string{"/", "/en", "/es", "/ca"} {
		one := *v
		one.words, _ = words.Of(home, options.Names)
		one.templates = sync.OnceValues(func() (*template.Template, error) {
			return template.New("").Funcs(one.functions()).ParseFS(views, "views/*.html")
		})
		v.editions[one.words.Prefix+one.words.Home] = &one
	}
	return v.In(v.words), nil
}

// In returns the Views of pages in the languages of w.
func (v *Views) In(w *words.Words) *Views { return v.editions[w.Prefix+w.Home] }

// functions returns the functions of the templates.
func (v *Views) functions() template.FuncMap {
	w := v.words
	return template.FuncMap{
		"footer": func() []column { return footer },
		"tile":   func(category string, zoom float64) template.CSS { return v.tileCSS(category, "", zoom) },
		"icon":   icon, "duration": duration, "money": v.money, "price": v.price,
		"lang": func() string { return w.Language }, "say": w.Say, "name": w.Name, "decimal": w.Decimal,
		"count": w.Count, "businesses": w.Businesses, "reviews": w.Reviews,
		"rated": func(rating string) string { return w.Say("Rated %s out of 5", w.Decimal(rating)) },
	}
}

// draw renders a template. It returns an empty view if the template fails; only the client
// renders the page then.
func (v *Views) draw(name string, data any) site.View {
	var html bytes.Buffer
	templates, err := v.templates()
	if err == nil {
		err = templates.ExecuteTemplate(&html, name, data)
	}
	if err != nil {
		v.Log.Error("render a first view", "template", name, "error", err)
		return site.View{}
	}
	return site.View{HTML: v.withLinks(html.Bytes())}
}

// withLinks makes the links of a rendered page lead to pages in its language. Links in single
// quotes have a language of their own and do not change. Quotes in values are escaped, so only
// attributes of the templates match.
func (v *Views) withLinks(page []byte) []byte {
	if v.words.Home == "en" {
		page = bytes.ReplaceAll(page, []byte(`href="/"`), []byte(`href="/en"`))
	}
	if v.words.Prefix == "" {
		return page
	}
	for _, name := range []string{"href", "action"} {
		page = bytes.ReplaceAll(page, []byte(name+`="/`), []byte(name+`="`+v.words.Prefix+`/`))
		page = bytes.ReplaceAll(page, []byte(name+`="`+v.words.Prefix+`/"`), []byte(name+`="`+v.words.Prefix+`"`)) // home
	}
	return page
}

// notFound is the view of a page that does not exist. The client renders its content.
var notFound = site.View{Head: site.Head{Robots: site.NoIndex}, Status: http.StatusNotFound}

// decode decodes an answer. ok is false if it is missing or has another type.
func decode[T any](answers []*site.Answer, at int) (decoded T, ok bool) {
	if at >= len(answers) || answers[at] == nil {
		return decoded, false
	}
	return decoded, json.Unmarshal(answers[at].Body, &decoded) == nil
}

// decodeRows decodes an answer that is a list of rows.
func decodeRows[T any](answers []*site.Answer, at int) (rows []T, ok bool) {
	return decode[[]T](answers, at)
}

// category is a category of the directory. An empty Parent means a top category.
type category struct {
	Name   string `json:"category_name"`
	Code   string `json:"category_code"`
	Parent string `json:"parent_category"`
}

// topOf returns the code of the top category above code, or code itself if there is none.
func topOf(code string, all []category) string {
	for _, one := range all {
		if one.Code == code && one.Parent != "" {
			return one.Parent
		}
	}
	return code
}

// tileCSS returns the CSS declarations of a tile.
func (v *Views) tileCSS(category, id string, zoom float64) template.CSS {
	return template.CSS(v.tiles.Choose(category, id).CSS(zoom))
}

// summary has the fields that cards and pages of businesses share.
type summary struct {
	ID          string          `json:"id"`
	Owner       *string         `json:"owner_id"`
	Name        string          `json:"name"`
	Type        string          `json:"type"`
	Location    string          `json:"location"`
	Phone       string          `json:"phone"`
	ImageURL    string          `json:"image_url"`
	Hours       json.RawMessage `json:"hours"`
	Own         *float64        `json:"rating"`
	Combined    *float64        `json:"combined_rating"`
	Reviews     int             `json:"user_ratings_total"`
	Category    *string         `json:"category_code"`
	Zone        string          `json:"time_zone"`
	PriceFrom   *float64        `json:"price_from"`
	Promoted    bool            `json:"-"`
	OpenLine    openingStatus   `json:"-"`
	TopCategory string          `json:"-"`
}

func (s summary) value() float64 {
	switch {
	case s.Combined != nil:
		return *s.Combined
	case s.Own != nil:
		return *s.Own
	}
	return 0
}

// IsFree reports whether the cheapest service costs nothing.
func (s summary) IsFree() bool { return s.PriceFrom != nil && *s.PriceFrom == 0 }

// IsRated reports whether the business has reviews. The lowest rating of a review is above 0.
func (s summary) IsRated() bool { return s.value() > 0 }

// Rating returns the rating with one decimal. It rounds half up, as the client does.
func (s summary) Rating() string {
	value := s.value()
	if quarters := value * 4; quarters == math.Trunc(quarters) && math.Mod(quarters, 2) != 0 {
		value += 0.01
	}
	return strconv.FormatFloat(value, 'f', 1, 64)
}

// Filled returns the coloured part of the five stars, in percent.
func (s summary) Filled() float64 { return 20 * s.value() }

// setComputed sets the opening status and the top category of a business.
func (v *Views) setComputed(s *summary, all []category) {
	s.OpenLine = parseHours(s.Hours).statusAt(v.now(s.Zone), v.words)
	s.TopCategory = s.Type
	if s.Category != nil {
		s.TopCategory = *s.Category
	}
	s.TopCategory = topOf(s.TopCategory, all)
}

// now returns the local time in a zone. An unknown zone means Europe/Madrid.
func (v *Views) now(zone string) time.Time {
	if known, ok := v.zones[zone]; ok {
		return v.Now().In(known)
	}
	return v.Now().In(v.zones["Europe/Madrid"])
}

// picture is an image. It has several sizes if it is stored on the site.
type picture struct {
	Src string
	Set string // srcset
}

const (
	objects  = "/storage/v1/object/public/"
	rendered = "/storage/v1/render/image/public/"
)

func (v *Views) picture(address string) *picture {
	if address == "" {
		return nil
	}
	path, ok := strings.CutPrefix(strings.TrimPrefix(address, v.SiteURL), objects)
	if !ok {
		return &picture{Src: address}
	}
	at := func(width int) string { return fmt.Sprintf("%s%s?width=%d&quality=75", rendered, path, width) }
	var set []string
	for _, width := range []int{320, 640, 960, 1280, 1920} {
		set = append(set, fmt.Sprintf("%s %dw", at(width), width))
	}
	return &picture{Src: at(960), Set: strings.Join(set, ", ")}
}

// link is a link to a page.
type link struct {
	Label, To string
	Here      bool // To is the current page
}

// searchPath returns the URL of a search. parameters are alternating names and values;
// empty values are left out.
func searchPath(parameters ...string) string {
	var query []string
	for i := 0; i < len(parameters); i += 2 {
		if parameters[i+1] != "" {
			query = append(query, parameters[i]+"="+url.QueryEscape(parameters[i+1]))
		}
	}
	if query == nil {
		return "/search"
	}
	return "/search?" + strings.Join(query, "&")
}

// duration formats minutes: "30 min", "1 h", "1 h 30 min".
func duration(minutes int) string {
	var parts []string
	if minutes >= 60 {
		parts = append(parts, fmt.Sprintf("%d h", minutes/60))
	}
	if minutes%60 > 0 || minutes == 0 {
		parts = append(parts, fmt.Sprintf("%d min", minutes%60))
	}
	return strings.Join(parts, " ")
}

// money formats a price with its decimals.
func (v *Views) money(amount float64) string { return v.words.Money(amount, v.Currency) }

// price formats a price without decimals if they are zero.
func (v *Views) price(amount float64) string { return v.words.Price(amount, v.Currency) }

// hasNoRedirect reports whether the answer is known and has no redirect.
func hasNoRedirect(answers []*site.Answer, at int) bool {
	rows, ok := decodeRows[json.RawMessage](answers, at)
	return ok && len(rows) == 0
}

// prependPromoted returns the promoted rows followed by the other rows, without duplicates.
func prependPromoted(promoted, rows []summary) []summary {
	for i := range promoted {
		promoted[i].Promoted = true
	}
	return append(promoted, slices.DeleteFunc(rows, func(row summary) bool {
		return slices.ContainsFunc(promoted, func(one summary) bool { return one.ID == row.ID })
	})...)
}
