package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"time"

	"plaza/server/freespace"
	"plaza/server/secret"
	"plaza/storage/core"
	"plaza/storage/rest"
	"plaza/storage/s3"
)

// Config holds supabase/storage's settings with their names and, if there are any,
// defaults.
type Config struct {
	Backend string `env:"STORAGE_BACKEND" envDefault:"file"` // file or s3
	Folder  string `env:"STORAGE_FILE_BACKEND_PATH"`         // for the backend "file"; empty means a subfolder of the data folder
	Tenant  string `env:"TENANT_ID" envDefault:"stub"`       // prefix of all names in an S3 bucket
	S3      S3     `envPrefix:"STORAGE_S3_"`

	Protocol s3.Config `envPrefix:"S3_PROTOCOL_"`
	Region   string    `env:"SERVER_REGION" envDefault:"local"` // for clients of the S3 protocol

	FileSizeLimit  Size    `env:"UPLOAD_FILE_SIZE_LIMIT" envDefault:"52428800"`
	PlainSizeLimit Size    `env:"UPLOAD_FILE_SIZE_LIMIT_STANDARD" envDefault:"0"` // for uploads in a single request; 0 means FileSizeLimit
	UploadURL      Seconds `env:"UPLOAD_SIGNED_URL_EXPIRATION_TIME" envDefault:"60"`
	EmptyMaximum   int64   `env:"STORAGE_EMPTY_BUCKET_MAX" envDefault:"200000"`
	MemoryCache    Size    `env:"STORAGE_MEMORY_CACHE_SIZE" envDefault:"32MiB"` // in-memory cache of small objects, in bytes; 0 disables it

	// KeepDeleted is how long the bytes of deleted objects are held.
	KeepDeleted time.Duration `env:"STORAGE_KEEP_DELETED" envDefault:"0s"`

	// MinFree is the minimum of free bytes on the file system of the objects.
	MinFree MinFree `env:"STORAGE_MIN_FREE_BYTES" envDefault:"auto"`

	Images Images `envPrefix:"IMAGE_TRANSFORMATION_"`

	Resumable Resumable `envPrefix:""`

	CDN rest.CDN `envPrefix:"CDN_PURGE_"`

	// URLSigningKey signs URLs instead of the project's JWT secret.
	URLSigningKey secret.Text `env:"STORAGE_URL_SIGNING_KEY"`

	// Buckets are created or updated at the start.
	Buckets []Bucket `env:"-"`
}

// Resumable configures resumable uploads.
type Resumable struct {
	Lifetime        int64  `env:"TUS_URL_EXPIRY_MS" envDefault:"3600000"`            // milliseconds
	PublicURL       string `env:"STORAGE_PUBLIC_URL"`                                // base of their URLs; empty means API_EXTERNAL_URL or else the request's host
	ForwardedPrefix bool   `env:"REQUEST_ALLOW_X_FORWARDED_PATH" envDefault:"false"` // X-Forwarded-Prefix holds the path prefix that a proxy has removed
}

// S3 configures the S3 bucket that holds all objects.
type S3 struct {
	Bucket    string      `env:"BUCKET"`
	Endpoint  string      `env:"ENDPOINT"` // empty means AWS
	Region    string      `env:"REGION" envDefault:"us-east-1"`
	PathStyle bool        `env:"FORCE_PATH_STYLE" envDefault:"false"`
	Create    bool        `env:"CREATE_BUCKET" envDefault:"false"` // create the bucket if it does not exist
	AccessKey string      `env:"ACCESS_KEY_ID"`                    // empty means AWS's default credential chain
	SecretKey secret.Text `env:"SECRET_ACCESS_KEY"`
}

// Images configures image transformation. Upstream disables it by default, because it
// needs a separate server.
type Images struct {
	Enabled   bool `env:"ENABLED" envDefault:"true"`
	MinSize   int  `env:"LIMIT_MIN_SIZE" envDefault:"1"`      // minimum width and height of a result, in pixels
	MaxSize   int  `env:"LIMIT_MAX_SIZE" envDefault:"2000"`   // maximum width and height of a result, in pixels
	MaxSource Size `env:"MAX_SOURCE_SIZE" envDefault:"25MiB"` // maximum size of a source file, in bytes
	CacheSize Size `env:"CACHE_SIZE" envDefault:"256MiB"`     // maximum size of the cache, in bytes
}

// Bucket is a bucket in the project's configuration.
type Bucket struct {
	Name          string
	Public        *bool
	FileSizeLimit *int64   // bytes
	MimeTypes     []string // nil does not change them
	Objects       fs.FS    // initial objects; may be nil
}

// Check returns an error that lists all invalid settings.
func (c Config) Check() error {
	var wrong []error
	switch c.Backend {
	case "file":
	case "s3":
		if c.S3.Bucket == "" {
			wrong = append(wrong, errors.New("STORAGE_S3_BUCKET is empty: STORAGE_BACKEND=s3 needs one"))
		}
	default:
		wrong = append(wrong, fmt.Errorf("STORAGE_BACKEND is %q: use file or s3", c.Backend))
	}
	if (c.Protocol.AccessKey == "") != (c.Protocol.SecretKey == "") {
		wrong = append(wrong, errors.New("S3_PROTOCOL_ACCESS_KEY_ID and S3_PROTOCOL_ACCESS_KEY_SECRET: set both or none"))
	}
	wrong = append(wrong, c.CDN.Check())
	if c.KeepDeleted < 0 {
		wrong = append(wrong, fmt.Errorf("STORAGE_KEEP_DELETED is %s: use a duration such as 168h, or 0s", c.KeepDeleted))
	}
	if c.MemoryCache < 0 {
		wrong = append(wrong, errors.New("STORAGE_MEMORY_CACHE_SIZE must not be negative"))
	}
	if c.FileSizeLimit <= 0 {
		wrong = append(wrong, errors.New("UPLOAD_FILE_SIZE_LIMIT must be more than 0"))
	}
	if c.Resumable.Lifetime <= 0 {
		wrong = append(wrong, errors.New("TUS_URL_EXPIRY_MS must be more than 0"))
	}
	if at, err := url.Parse(c.Resumable.PublicURL); c.Resumable.PublicURL != "" && (err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https") {
		wrong = append(wrong, fmt.Errorf("STORAGE_PUBLIC_URL is %q: use an address such as https://api.example.com", c.Resumable.PublicURL))
	}
	if given := c.URLSigningKey.Reveal(); given != "" && len(given) < 32 {
		wrong = append(wrong, fmt.Errorf("STORAGE_URL_SIGNING_KEY has %d characters: use 32 or more", len(given)))
	}
	if i := c.Images; i.MinSize < 1 || i.MaxSize < i.MinSize || i.MaxSize > maxImageSide {
		wrong = append(wrong, fmt.Errorf("IMAGE_TRANSFORMATION_LIMIT_MIN_SIZE and _MAX_SIZE are %d and %d: use 1 to %d, the smaller one first", i.MinSize, i.MaxSize, maxImageSide))
	}
	if c.Images.MaxSource <= 0 || c.Images.CacheSize <= 0 {
		wrong = append(wrong, errors.New("IMAGE_TRANSFORMATION_MAX_SOURCE_SIZE and IMAGE_TRANSFORMATION_CACHE_SIZE must be more than 0"))
	}
	return errors.Join(wrong...)
}

// maxImageSide is the maximum width and height of a WebP image, in pixels. The settings
// cannot exceed it.
const maxImageSide = 16383

// MinFree is a minimum of free space: a Size or "auto".
type MinFree freespace.Floor

// UnmarshalText parses a Size or "auto". An empty text means "auto".
func (m *MinFree) UnmarshalText(text []byte) error {
	if given := strings.TrimSpace(string(text)); given == "" || given == "auto" {
		*m = MinFree(freespace.Auto)
		return nil
	}
	var size Size
	if err := size.UnmarshalText(text); err != nil || size < 0 {
		return errors.New("use auto, 0, or a number of bytes such as 2GiB")
	}
	*m = MinFree(size)
	return nil
}

// Size is a number of bytes, which may carry a unit: "50MiB", "20MB".
type Size int64

// UnmarshalText parses a number of bytes or a number with a unit.
func (s *Size) UnmarshalText(text []byte) error {
	plain := strings.TrimSpace(string(text))
	if number, err := strconv.ParseInt(plain, 10, 64); err == nil {
		*s = Size(number)
		return nil
	}
	lower := strings.ToLower(plain)
	for unit, bytes := range map[string]float64{"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30} {
		if number, ok := strings.CutSuffix(lower, unit); ok {
			count, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			*s = Size(count * bytes)
			return err
		}
	}
	size, err := core.ParseSize(strings.ReplaceAll(plain, " ", ""))
	if err != nil {
		return errors.New("use bytes, or a number with a unit: 50MiB, 20MB")
	}
	*s = Size(size)
	return nil
}

// Seconds is a whole number of seconds.
type Seconds int

// Duration converts s to a time.Duration.
func (s Seconds) Duration() time.Duration { return time.Duration(s) * time.Second }
