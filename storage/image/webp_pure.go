//go:build !cgo

package image

import (
	"image"
	"io"

	"github.com/HugoSmits86/nativewebp"
)

// writeWebP encodes without loss: a build without a C compiler has no libwebp.
// Photos become larger so than they are as JPEG.
func writeWebP(w io.Writer, picture image.Image, _ int) error {
	return nativewebp.Encode(w, picture, nil)
}
