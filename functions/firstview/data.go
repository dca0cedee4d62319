package firstview

import (
	"strconv"
	"strings"

	"plaza/functions/words"
)

// Structured data (JSON-LD) of https://schema.org, as search engines read it.

type object = map[string]any

const vocabulary = "https://schema.org"

// Locales are the values of og:locale (Open Graph) by language, the same as in the client.
var Locales = map[string]string{"en": "en_US", "es": "es_ES", "ca": "ca_ES"}

// url returns the absolute URL of a page in the language of the Views.
func (v *Views) url(path string) string {
	if path == "/" {
		return v.SiteURL + words.Path(v.words.Home, path)
	}
	return v.SiteURL + v.words.Prefix + path
}

// siteData describes the site as a whole, and who runs it.
func (v *Views) siteData() []any {
	return []any{
		object{
			"@context": vocabulary, "@type": "WebSite", "@id": v.SiteURL + "/#site", "url": v.SiteURL + "/", "name": "Plaza",
			"inLanguage": words.Languages, "publisher": object{"@id": v.SiteURL + "/#organization"},
		},
		object{
			"@context": vocabulary, "@type": "Organization", "@id": v.SiteURL + "/#organization", "name": "Plaza", "url": v.SiteURL + "/",
			"logo": v.SiteURL + "/icon-512.png",
		},
	}
}

// businessData describes a business at its canonical URL.
func (v *Views) businessData(one details, address string) object {
	data := object{
		"@context": vocabulary, "@type": "LocalBusiness", "@id": address, "url": address, "name": one.Name,
		"image": v.absolute(one.images()), "address": one.postalAddress(),
	}
	for name, value := range map[string]string{
		"description": one.Description, "slogan": one.Tagline, "telephone": one.Phone, "logo": v.absolute([]string{one.LogoURL})[0],
	} {
		if value != "" {
			data[name] = value
		}
	}
	if strings.HasPrefix(one.Website, "http://") || strings.HasPrefix(one.Website, "https://") {
		data["sameAs"] = one.Website
	}
	if one.Latitude != nil && one.Longitude != nil {
		data["geo"] = object{"@type": "GeoCoordinates", "latitude": *one.Latitude, "longitude": *one.Longitude}
	}
	if open := parseHours(one.Hours).specification(); open != nil {
		data["openingHoursSpecification"] = open
	}
	if one.IsRated() && one.Reviews > 0 {
		data["aggregateRating"] = object{
			"@type": "AggregateRating", "ratingValue": one.Rating(), "reviewCount": one.Reviews, "bestRating": 5, "worstRating": 1,
		}
	}
	if offers := v.offers(one.Services); offers != nil {
		data["makesOffer"] = offers
		data["priceRange"] = v.priceRange(one.Services)
	}
	return data
}

// images returns the URLs of all photos, the cover first. Without photos it returns the URL
// of the business's preview picture, which shows its tile.
func (d details) images() []string {
	var all []string
	if d.ImageURL != "" {
		all = append(all, d.ImageURL)
	}
	for _, one := range d.StoredPhotos {
		if one.URL != d.ImageURL {
			all = append(all, one.URL)
		}
	}
	if all == nil {
		return []string{"/social/business/" + d.ID + ".png"}
	}
	return all
}

func (d details) postalAddress() object {
	country := "ES"
	if d.Zone == "Europe/Andorra" {
		country = "AD"
	}
	address := object{"@type": "PostalAddress", "addressLocality": d.Location, "addressCountry": country}
	if d.Address != "" {
		address["streetAddress"] = d.Address
	}
	return address
}

// specification returns the opening hours by weekday, or nil if there are none or they are a
// text.
func (h hours) specification() []object {
	var week []object
	for _, weekday := range weekdays {
		day, ok := h.days[weekday]
		if !ok || !day.isOpen {
			continue
		}
		week = append(week, object{
			"@type": "OpeningHoursSpecification", "dayOfWeek": vocabulary + "/" + strings.ToUpper(weekday[:1]) + weekday[1:], "opens": day.open, "closes": day.close,
		})
	}
	return week
}

func (v *Views) offers(services []service) []object {
	var offers []object
	for _, one := range services {
		offered := object{"@type": "Service", "name": one.Name}
		if one.Description != "" {
			offered["description"] = one.Description
		}
		offers = append(offers, object{
			"@type": "Offer", "price": strconv.FormatFloat(one.Price, 'f', 2, 64), "priceCurrency": v.Currency, "itemOffered": offered,
		})
	}
	return offers
}

// priceRange returns the lowest and the highest price: "€10 - €45".
func (v *Views) priceRange(services []service) string {
	low, high := services[0].Price, services[0].Price
	for _, one := range services {
		low, high = min(low, one.Price), max(high, one.Price)
	}
	if low == high {
		return v.price(low)
	}
	return v.price(low) + " - " + v.price(high)
}

// crumbData describes the breadcrumb of the page at a canonical URL.
func (v *Views) crumbData(crumbs []link, address string) object {
	var items []object
	for i, one := range crumbs {
		to := v.url(one.To)
		if one.Here {
			to = address
		}
		items = append(items, object{"@type": "ListItem", "position": i + 1, "name": one.Label, "item": to})
	}
	return object{"@context": vocabulary, "@type": "BreadcrumbList", "itemListElement": items}
}

// listData describes a list of businesses.
func (v *Views) listData(rows []summary) object {
	items := make([]object, len(rows))
	for i, one := range rows {
		items[i] = object{"@type": "ListItem", "position": i + 1, "name": one.Name, "url": v.url("/business/" + one.ID)}
	}
	return object{"@context": vocabulary, "@type": "ItemList", "numberOfItems": len(items), "itemListElement": items}
}

// absolute puts the site's URL before addresses that are paths.
func (v *Views) absolute(addresses []string) []string {
	all := make([]string, len(addresses))
	for i, one := range addresses {
		if strings.HasPrefix(one, "/") {
			one = v.SiteURL + one
		}
		all[i] = one
	}
	return all
}
