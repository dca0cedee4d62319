package firstview

import "html/template"

// card is a business in a list.
type card struct {
	head

	Image   *picture
	Tile    template.CSS // in place of an image
	IsRow   bool         // lies in a list; else it stands in a grid
	IsMatch bool         // has room for the service that a text means
}

// card is the card of a business, as it stands in a grid.
func (v *Views) card(row head, all []category) card {
	v.complete(&row, all)
	one := card{head: row, Image: v.picture(row.ImageURL)}
	if one.Image == nil {
		one.Tile = v.cover(row.TopCategory, row.ID, 1)
	}
	return one
}
