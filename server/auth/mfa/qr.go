package mfa

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// quietZone is the width of the blank margin that a scanner needs, in modules. Source: ISO/IEC 18004.
const quietZone = 4

// qrCode encodes text as an SVG with one path and one unit per module. The SVG contains no
// character that must be escaped in a data: URL (#, % or a line break), because auth-js only
// prefixes it with "data:image/svg+xml;utf-8,".
func qrCode(text string) (string, error) {
	matrix, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("encode QR code: %w", err)
	}
	size := matrix.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := 0; x < size; {
			run := 0
			for x+run < size && matrix.At(x+run, y) == color.Black {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+quietZone, y+quietZone, run, run)
			}
			x += max(run, 1)
		}
	}
	whole := size + 2*quietZone
	return fmt.Sprintf("<svg xmlns='http://www.w3.org/2000/svg' width='%[1]d' height='%[1]d' viewBox='0 0 %[2]d %[2]d' shape-rendering='crispEdges'>"+
		"<rect width='%[2]d' height='%[2]d' fill='white'/><path fill='black' d='%[3]s'/></svg>", whole*modulePixels, whole, path.String()), nil
}

// modulePixels is the default size of a module, in pixels.
const modulePixels = 4
