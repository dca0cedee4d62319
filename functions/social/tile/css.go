package tile

import (
	"fmt"
	"math"
	"strings"
)

// urlEscaper escapes an SVG for a data URL.
var urlEscaper = strings.NewReplacer("%", "%25", "<", "%3C", ">", "%3E", "#", "%23", `"`, "'")

// quadrantTransforms place the four mirrored quadrants in a tile of 200 units.
var quadrantTransforms = [4]string{
	"", ` transform="matrix(-1 0 0 1 200 0)"`, ` transform="matrix(1 0 0 -1 0 200)"`, ` transform="matrix(-1 0 0 -1 200 200)"`,
}

// CSS returns the declarations that make the tile an element's background, as the client's
// tile-cover.tsx does. zoom scales the tile; 1 is its usual size.
func (s Spec) CSS(zoom float64) string {
	var svg strings.Builder
	svg.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="200" height="200"><defs><symbol id="q" viewBox="0 0 100 100">`)
	for _, shape := range s.Shapes {
		if len(shape.Circle) == 3 {
			fmt.Fprintf(&svg, `<circle cx="%g" cy="%g" r="%g" fill="%s"/>`, shape.Circle[0], shape.Circle[1], shape.Circle[2], s.Colors[shape.Fill])
		} else {
			fmt.Fprintf(&svg, `<path d="%s" fill="%s"/>`, shape.Path, s.Colors[shape.Fill])
		}
	}
	fmt.Fprintf(&svg, `</symbol></defs><path d="M0 0H200V200H0Z" fill="%s"/>`, s.Colors[0])
	for _, transform := range quadrantTransforms {
		fmt.Fprintf(&svg, `<use href="#q" width="100" height="100"%s/>`, transform)
	}
	fmt.Fprintf(&svg, `<path d="M0 0H200V200H0Z" fill="none" stroke="%s" stroke-opacity=".22" stroke-width="1.6"/></svg>`, s.Colors[1])
	return fmt.Sprintf(`background-color:%s;background-image:url("data:image/svg+xml,%s");background-size:%.0fpx`,
		s.Colors[0], urlEscaper.Replace(svg.String()), math.Floor(float64(s.Scale)*zoom+0.5))
}
