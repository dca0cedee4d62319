package firstview

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"plaza/server/site"
)

// page is what every view has.
type page struct{ IsHome bool }

// tileLink leads to a category, with its tile.
type tileLink struct {
	Name, To   string
	Tile       template.CSS
	Place      string // classes
	Businesses int
}

// Home's categories, the most asked for first; their places in the mosaic, and what they
// are called in Spanish. The client has the same in features/directory.
var (
	popular = []string{"beautysvc", "restaurants", "health", "auto", "homeservices", "hotelstravel", "active", "pets", "nightlife", "shopping"}
	mosaic  = []string{"sm:row-span-2", "sm:col-span-2", "sm:row-span-2", "", "", "sm:col-span-2", "", "sm:row-span-2", "", "sm:col-span-2"}
	spanish = map[string]string{
		"active": "Deporte", "arts": "Arte y ocio", "auto": "Motor", "beautysvc": "Belleza", "education": "Educación",
		"eventservices": "Eventos", "financialservices": "Finanzas", "food": "Alimentación", "health": "Salud", "homeservices": "Hogar",
		"hotelstravel": "Hoteles", "localservices": "Servicios", "massmedia": "Medios", "nightlife": "Noche", "pets": "Mascotas",
		"professional": "Profesionales", "publicservices": "Administración", "realestate": "Inmobiliaria", "religiousorgs": "Culto",
		"restaurants": "Restaurantes", "shopping": "Compras",
	}
	cities = []struct{ name, tile string }{
		{"Madrid", "publicservices"}, {"Barcelona", "hotelstravel"}, {"Valencia", "food"}, {"Seville", "restaurants"}, {"Bilbao", "auto"}, {"Malaga", "health"},
	}
)

func (v *Views) home(answers []*site.Answer) site.View {
	all, ok := read[category](answers, 0)
	if !ok {
		return site.View{}
	}
	tops := slices.DeleteFunc(all, func(one category) bool { return one.Parent != "" })
	rank := func(one category) int {
		if at := slices.Index(popular, one.Code); at >= 0 {
			return at
		}
		return len(popular)
	}
	slices.SortStableFunc(tops, func(a, b category) int { return cmp.Compare(rank(a), rank(b)) })
	view := struct {
		page

		Categories, Cities []tileLink
		TopRated           [4]struct{} // which, depends on where somebody is
	}{page: page{IsHome: true}}
	for i, one := range tops[:min(len(tops), len(mosaic))] {
		view.Categories = append(view.Categories, tileLink{
			Name: cmp.Or(spanish[one.Code], one.Name), To: searchPath("category", one.Name), Tile: v.cover(one.Code, "", 1), Place: mosaic[i],
		})
	}
	for _, city := range cities {
		view.Cities = append(view.Cities, tileLink{Name: city.name, To: searchPath("find_loc", city.name), Tile: v.cover(city.tile, "", 0.8)})
	}
	return v.draw("home", view)
}

// details are a business's own page.
type details struct {
	head

	Address     string    `json:"address"`
	LogoURL     string    `json:"logo"`
	Description string    `json:"description"`
	Tagline     string    `json:"tagline"`
	Services    []service `json:"services"`
	Stored      []stored  `json:"photos"`

	RatingSources json.RawMessage `json:"rating_sources"`
}

// Sources names the parts of a number of reviews, those of Plaza and those of other
// guides; it is empty where all are from here.
func (d details) Sources() string {
	var others []json.RawMessage
	if json.Unmarshal(d.RatingSources, &others) != nil {
		return ""
	}
	here := d.Reviews
	var parts []string
	for _, stored := range others {
		var one struct {
			Source *string `json:"source"`
			Count  int     `json:"count"`
		}
		if json.Unmarshal(stored, &one) == nil && one.Source != nil && one.Count > 0 {
			here -= one.Count
			parts = append(parts, count(one.Count)+" at "+*one.Source)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(append([]string{count(max(0, here)) + " on Plaza"}, parts...), ", ")
}

// Cheapest is the service with the lowest price; nil where there is none.
func (d details) Cheapest() *service {
	var cheapest *service
	for i, one := range d.Services {
		if cheapest == nil || one.Price < cheapest.Price {
			cheapest = &d.Services[i]
		}
	}
	return cheapest
}

type service struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Price       float64 `json:"price"`
	Duration    int     `json:"duration"`
}

type stored struct {
	URL     string `json:"photo_url"`
	Caption string `json:"caption"`
}

// popularServices is how many services stand on the page at first (BIZ-08).
const popularServices = 4

// photo is one of the gallery, with the classes of its place.
type photo struct {
	*picture

	Alt, Place string
}

// photos returns the cover and then the others, none twice, three at most, and how many there are.
func (v *Views) photos(d details) (shown []photo, all int) {
	var list []stored
	if d.ImageURL != "" {
		cover := stored{URL: d.ImageURL}
		for _, one := range d.Stored {
			if one.URL == cover.URL {
				cover.Caption = one.Caption
				break
			}
		}
		list = append(list, cover)
	}
	for _, one := range d.Stored {
		if one.URL != d.ImageURL {
			list = append(list, one)
		}
	}
	for i, one := range list[:min(3, len(list))] {
		alt := cmp.Or(one.Caption, fmt.Sprintf("%s, photo %d of %d", d.Name, i+1, len(list)))
		shown = append(shown, photo{v.picture(one.URL), alt, galleryPlace(i, min(3, len(list)))})
	}
	return shown, len(list)
}

// galleryPlace: one large and two small ones beside it; a single one takes all.
func galleryPlace(index, count int) string {
	switch {
	case count == 1:
		return "col-span-3 row-span-2"
	case index == 0:
		return "col-span-2 row-span-2"
	case count == 2:
		return "row-span-2"
	}
	return ""
}

func (v *Views) business(answers []*site.Answer) site.View {
	rows, _ := read[details](answers, 0)
	all, _ := read[category](answers, 1)
	if len(rows) != 1 || !isUnmoved(answers, 2) {
		return site.View{}
	}
	one := rows[0]
	v.complete(&one.head, all)
	view := struct {
		page
		details

		Crumbs     []link
		Photos     []photo
		ShowPhotos string
		Tile       tileLink // in place of photos
		Logo       *picture
		Popular    []service
		More       bool
	}{
		details: one, Logo: v.picture(one.LogoURL),
		Popular: one.Services[:min(popularServices, len(one.Services))], More: len(one.Services) > popularServices,
		Crumbs: []link{{Label: "Search", To: "/search"}},
	}
	for _, known := range all {
		if one.Category != nil && known.Code == *one.Category {
			view.Crumbs = append(view.Crumbs, link{Label: known.Name, To: "/category/" + known.Code})
		}
	}
	view.Crumbs = append(view.Crumbs, link{Label: one.Name, Here: true})
	photos, count := v.photos(one)
	view.Photos, view.ShowPhotos = photos, fmt.Sprintf("View all %d photos", count)
	if count == 1 {
		view.ShowPhotos = "View photo"
	}
	if count == 0 {
		view.Tile = tileLink{Tile: v.cover(one.TopCategory, one.ID, 1.6), Place: galleryPlace(0, 1)}
	}
	return v.draw("business", view)
}
