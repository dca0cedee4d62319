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
	"time"
	_ "time/tzdata" // a machine need not know the zones of the market

	"plaza/functions/social/tile"
	"plaza/server/site"
)

//go:embed views/*.html
var views embed.FS

// Options are what first views are made with.
type Options struct {
	TileData []byte // the client's tile-data.json
	Places   []byte // the client's places.json
	SiteURL  string // where the site is; pictures stored there are sent in sizes
	Currency string // ISO 4217 in capitals, that of the client
	Now      func() time.Time
	Log      *slog.Logger
}

// Views draws the first view of public pages: what is seen until the client runs,
// and all that is there where no script does. The client draws the same in the same
// places, which tests/e2e/first-view.spec.ts holds; its classes give both their look.
type Views struct {
	Options

	tiles     *tile.Set
	templates *template.Template
	zones     map[string]*time.Location
	places    map[string]string // names by slug
}

// New reads the tiles and the templates.
func New(options Options) (*Views, error) {
	v := &Views{Options: options, zones: make(map[string]*time.Location)}
	var err error
	if v.tiles, err = tile.Read(options.TileData); err != nil {
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
	v.templates, err = template.New("").Funcs(template.FuncMap{
		"footer": func() []column { return footer },
		"tile":   func(category string, zoom float64) template.CSS { return v.cover(category, "", zoom) },
		"icon":   icon, "count": count, "businesses": businesses, "duration": duration, "money": v.money, "price": v.price,
	}).ParseFS(views, "views/*.html")
	if err != nil {
		return nil, fmt.Errorf("first views: %w", err)
	}
	return v, nil
}

// draw returns nothing where a template fails; the client then draws alone.
func (v *Views) draw(name string, data any) site.View {
	var page bytes.Buffer
	if err := v.templates.ExecuteTemplate(&page, name+".html", data); err != nil {
		v.Log.Error("draw a first view", "page", name, "error", err)
		return site.View{}
	}
	return site.View{HTML: page.Bytes()}
}

// missing is a page of something that there is not. What to do instead, the client says.
var missing = site.View{Status: http.StatusNotFound}

// value decodes an answer; it is false where there is none or it holds something else.
func value[T any](answers []*site.Answer, at int) (decoded T, ok bool) {
	if at >= len(answers) || answers[at] == nil {
		return decoded, false
	}
	return decoded, json.Unmarshal(answers[at].Body, &decoded) == nil
}

// read decodes an answer of rows.
func read[T any](answers []*site.Answer, at int) (rows []T, ok bool) { return value[[]T](answers, at) }

// category is one of the directory; Parent is empty for a top one.
type category struct {
	Name   string `json:"category_name"`
	Code   string `json:"category_code"`
	Parent string `json:"parent_category"`
}

// topOf returns the top category of a code; the code itself where it is unknown.
func topOf(code string, all []category) string {
	for _, one := range all {
		if one.Code == code && one.Parent != "" {
			return one.Parent
		}
	}
	return code
}

// cover returns the declarations of a tile.
func (v *Views) cover(category, id string, zoom float64) template.CSS {
	return template.CSS(v.tiles.Choose(category, id).CSS(zoom))
}

// head is what cards and pages of businesses share.
type head struct {
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
	OpenLine    openLine        `json:"-"`
	TopCategory string          `json:"-"`
}

func (h head) value() float64 {
	switch {
	case h.Combined != nil:
		return *h.Combined
	case h.Own != nil:
		return *h.Own
	}
	return 0
}

// IsFree says that the cheapest service costs nothing.
func (h head) IsFree() bool { return h.PriceFrom != nil && *h.PriceFrom == 0 }

// IsRated is false of a business without reviews, as nobody can give 0.
func (h head) IsRated() bool { return h.value() > 0 }

// Rating is written with one decimal; halves of the last go up, as in the client.
func (h head) Rating() string {
	value := h.value()
	if quarters := value * 4; quarters == math.Trunc(quarters) && math.Mod(quarters, 2) != 0 {
		value += 0.01
	}
	return strconv.FormatFloat(value, 'f', 1, 64)
}

// Filled is how much of the five stars has colour, in percent.
func (h head) Filled() float64 { return 20 * h.value() }

// complete computes the opening line and the top category of a business.
func (v *Views) complete(h *head, all []category) {
	h.OpenLine = parseHours(h.Hours).at(v.now(h.Zone))
	h.TopCategory = h.Type
	if h.Category != nil {
		h.TopCategory = *h.Category
	}
	h.TopCategory = topOf(h.TopCategory, all)
}

// now is what clocks in a zone show; those of the mainland, where a zone is unknown.
func (v *Views) now(zone string) time.Time {
	if known, ok := v.zones[zone]; ok {
		return v.Now().In(known)
	}
	return v.Now().In(v.zones["Europe/Madrid"])
}

// picture is an image in sizes, where it is stored here, or as it is.
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

// link is a place to go to.
type link struct {
	Label, To string
	Here      bool
}

// column is one of the footer.
type column struct {
	Title string
	Links []link
}

// footer has what client/src/app/layouts/nav-model.ts has.
var footer = []column{
	{"Discover", []link{
		{Label: "All businesses", To: searchPath()},
		{Label: "Beauty & Spas", To: searchPath("category", "Beauty & Spas")},
		{Label: "Restaurants", To: searchPath("category", "Restaurants")},
		{Label: "Health & Medical", To: searchPath("category", "Health & Medical")},
		{Label: "Home Services", To: searchPath("category", "Home Services")},
	}},
	{"For Business", []link{
		{Label: "Add your business", To: "/auth?mode=register&role=owner"}, {Label: "Become a seller", To: "/become-seller"},
		{Label: "Plans", To: "/plans"}, {Label: "My Businesses", To: "/my-businesses"},
	}},
	{"Support", []link{
		{Label: "Help", To: "/help"}, {Label: "Contact", To: "/contact"}, {Label: "About Plaza", To: "/about"},
		{Label: "Privacy", To: "/privacy"}, {Label: "Terms", To: "/terms"},
	}},
}

// searchPath is the address of a search, with its parameters as names and values in turn.
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

// count writes a number with commas between thousands.
func count(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

func businesses(n int) string {
	if n == 1 {
		return "1 business"
	}
	return count(n) + " businesses"
}

// duration writes minutes: "30 min", "1 h", "1 h 30 min".
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

var symbols = map[string]string{"USD": "$", "EUR": "€", "GBP": "£"}

// money writes a price as the client's formatMoney does.
func (v *Views) money(amount float64) string {
	symbol, ok := symbols[v.Currency]
	if !ok {
		symbol = v.Currency + "\u00a0"
	}
	whole, cents, _ := strings.Cut(strconv.FormatFloat(math.Abs(amount), 'f', 2, 64), ".")
	n, _ := strconv.Atoi(whole)
	if amount < 0 {
		symbol = "-" + symbol
	}
	return symbol + count(n) + "." + cents
}

// price is the same without cents where there are none: the client's formatPrice.
func (v *Views) price(amount float64) string { return strings.TrimSuffix(v.money(amount), ".00") }

// isUnmoved says that an address is known to lead nowhere else.
func isUnmoved(answers []*site.Answer, at int) bool {
	rows, ok := read[json.RawMessage](answers, at)
	return ok && len(rows) == 0
}

// withoutTwins leaves out what stands among the promoted.
func withoutTwins(promoted, rows []head) []head {
	for i := range promoted {
		promoted[i].Promoted = true
	}
	return append(promoted, slices.DeleteFunc(rows, func(row head) bool {
		return slices.ContainsFunc(promoted, func(one head) bool { return one.ID == row.ID })
	})...)
}
