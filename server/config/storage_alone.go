package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"plaza/server/claims"
	"plaza/server/ops"
	"plaza/server/secret"
	"plaza/storage"
)

// StorageAlone holds the settings of `plaza storage`, with supabase/storage's names.
type StorageAlone struct {
	DatabaseURL secret.Text `env:"DATABASE_URL"`
	MaxPool     int32       `env:"DATABASE_MAX_CONNECTIONS" envDefault:"20"`
	Host        string      `env:"SERVER_HOST" envDefault:"0.0.0.0"` // or HOST
	Port        int         `env:"SERVER_PORT" envDefault:"5000"`    // or PORT
	JWTSecret   secret.Text `env:"AUTH_JWT_SECRET"`                  // or PGRST_JWT_SECRET
	JWTKeys     secret.Text `env:"JWT_JWKS"`                         // additional verification keys of tokens, a JSON Web Key Set
	LogLevel    string      `env:"LOG_LEVEL" envDefault:"info"`
	Admin       string      `env:"PLAZA_ADMIN_ADDR"` // address of the admin server; empty disables it
	NetHTTP     bool        `env:"PLAZA_NET_HTTP"`   // as Config.NetHTTP
	Tracing     ops.Tracing `envPrefix:"OTEL_"`

	Storage storage.Config `envPrefix:""`

	Keys *claims.KeySet `env:"-"` // the keys of JWTKeys; nil if there are none
}

// storageAliases maps variables to the names that are used if they are not set.
var storageAliases = map[string]string{
	"SERVER_HOST": "HOST", "SERVER_PORT": "PORT", "AUTH_JWT_SECRET": "PGRST_JWT_SECRET", "STORAGE_FILE_BACKEND_PATH": "FILE_STORAGE_BACKEND_PATH",
	"UPLOAD_FILE_SIZE_LIMIT": "FILE_SIZE_LIMIT", "UPLOAD_FILE_SIZE_LIMIT_STANDARD": "FILE_SIZE_LIMIT_STANDARD_UPLOAD",
	"UPLOAD_SIGNED_URL_EXPIRATION_TIME": "SIGNED_UPLOAD_URL_EXPIRATION_TIME", "STORAGE_S3_BUCKET": "GLOBAL_S3_BUCKET", "STORAGE_S3_ENDPOINT": "GLOBAL_S3_ENDPOINT",
	"STORAGE_S3_FORCE_PATH_STYLE": "GLOBAL_S3_FORCE_PATH_STYLE", "STORAGE_S3_REGION": "REGION", "TENANT_ID": "PROJECT_REF",
	"IMAGE_TRANSFORMATION_ENABLED": "ENABLE_IMAGE_TRANSFORMATION", "IMAGE_TRANSFORMATION_LIMIT_MIN_SIZE": "IMG_LIMITS_MIN_SIZE",
	"IMAGE_TRANSFORMATION_LIMIT_MAX_SIZE": "IMG_LIMITS_MAX_SIZE",
}

// LoadStorageAlone reads and checks the environment, given as "NAME=value" entries.
// Its error lists all invalid variables.
func LoadStorageAlone(environ []string) (StorageAlone, error) {
	values := upstreamValues(environ, storageAliases)
	cfg, err := parse[StorageAlone](values)
	if err != nil {
		return StorageAlone{}, err
	}
	if cfg.Storage.Folder != "" {
		// Upstream's file backend stores the objects of a bucket and tenant in this subfolder.
		cfg.Storage.Folder = filepath.Join(cfg.Storage.Folder, cfg.Storage.S3.Bucket, cfg.Storage.Tenant)
	}
	return cfg, errors.Join(cfg.readKeys(), cfg.check())
}

func (c *StorageAlone) readKeys() (err error) {
	text := strings.TrimSpace(c.JWTKeys.Reveal())
	if text == "" {
		return nil
	}
	if !strings.HasPrefix(text, "{") || !json.Valid([]byte(text)) { // ParseKeySet would treat any other text as a secret
		return errors.New("JWT_JWKS is no JSON Web Key Set")
	}
	if c.Keys, err = claims.ParseKeySet([]byte(text)); err != nil {
		return fmt.Errorf("JWT_JWKS: %w", err)
	}
	return nil
}

func (c StorageAlone) check() error {
	var wrong []error
	for name, given := range map[string]string{"DATABASE_URL": c.DatabaseURL.Reveal(), "AUTH_JWT_SECRET (or PGRST_JWT_SECRET)": c.JWTSecret.Reveal()} {
		if given == "" {
			wrong = append(wrong, fmt.Errorf("%s is not set", name))
		}
	}
	if c.Storage.Backend == "file" && c.Storage.Folder == "" {
		wrong = append(wrong, errors.New("STORAGE_FILE_BACKEND_PATH (or FILE_STORAGE_BACKEND_PATH) is not set"))
	}
	if c.Port < 1 || c.Port > 65535 {
		wrong = append(wrong, fmt.Errorf("SERVER_PORT is %d: use 1 to 65535", c.Port))
	}
	if _, ok := authLevels[strings.ToLower(c.LogLevel)]; !ok {
		wrong = append(wrong, fmt.Errorf("LOG_LEVEL is %q: use trace, debug, info, warn, error or fatal", c.LogLevel))
	}
	return errors.Join(append(wrong, c.Storage.Check(), c.Tracing.Check())...)
}

// Level returns the log level.
func (c StorageAlone) Level() slog.Level { return authLevels[strings.ToLower(c.LogLevel)] }
