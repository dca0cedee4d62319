//go:build cgo

package image

import (
	"image"
	"io"

	"github.com/bep/gowebp/libwebp"
	"github.com/bep/gowebp/libwebp/webpoptions"
)

// writeWebP encodes with libwebp, which is statically linked.
func writeWebP(w io.Writer, picture image.Image, quality int) error {
	return libwebp.Encode(w, picture, webpoptions.EncodingOptions{Quality: quality, EncodingPreset: webpoptions.EncodingPresetPhoto})
}
