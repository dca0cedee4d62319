package store

import (
	"errors"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Raised is an error that SQL of the project, such as a trigger, raised on purpose. Its JSON is the
// format of such an error in upstream's older API version.
type Raised struct {
	Status  int    `json:"-"` // of HTTP
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// AsRaised returns the error in err's chain that the project's SQL raised, or nil.
func AsRaised(err error) *Raised {
	var raised *pgconn.PgError
	if !errors.As(err, &raised) {
		return nil
	}
	status := statusRaised(raised)
	if status == 0 {
		return nil
	}
	return &Raised{status, raised.Code, raised.Message, raised.Hint, raised.Detail}
}

// statusRaised returns the HTTP status of an error that the project's SQL raised on purpose, or 0 for
// any other error. A violated constraint detected by PostgreSQL itself yields 0, because its name
// and the key in its detail must not be shown.
func statusRaised(raised *pgconn.PgError) int {
	switch raised.Code {
	case "P0001":
		return 500
	case "23000", "23001", "23502", "23503", "23505", "23514", "23P01":
		if raised.ConstraintName == "" && raised.TableName == "" && raised.DataTypeName == "" {
			return 500
		}
		return 0
	}
	if digits, ok := strings.CutPrefix(raised.Code, "PT"); ok {
		if status, err := strconv.Atoi(digits); err == nil && status >= 100 && status <= 599 {
			return status
		}
	}
	return 0
}
