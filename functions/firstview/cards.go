package firstview

import "html/template"

// card is a business in a list.
type card struct {
	summary

	Image   *picture
	Tile    template.CSS // shown without an image
	IsRow   bool         // part of a list; false means part of a grid
	IsMatch bool         // reserves space for the service that matches the search text
}

// card returns the card of a business, laid out for a grid.
func (v *Views) card(row summary, all []category) card {
	v.setComputed(&row, all)
	one := card{summary: row, Image: v.picture(row.ImageURL)}
	if one.Image == nil {
		one.Tile = v.tileCSS(row.TopCategory, row.ID, 1)
	}
	return one
}
