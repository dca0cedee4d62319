//go:build !cgo

package image

import (
	"image"
	"io"

	"github.com/HugoSmits86/nativewebp"
)

// writeWebP encodes losslessly, since a build without cgo has no libwebp. Photos become
// larger than as JPEG.
func writeWebP(w io.Writer, picture image.Image, _ int) error {
	return nativewebp.Encode(w, picture, nil)
}
