package functions

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
)

// TranslateError turns an error that private.fail raised into the response for the caller.
// Other errors are wrapped with the name of the operation.
func TranslateError(operation string, err error) error {
	var raised *pgconn.PgError
	if errors.As(err, &raised) {
		if number, ok := strings.CutPrefix(raised.Code, "PT"); ok {
			if status, notNumber := strconv.Atoi(number); notNumber == nil {
				return apierr.New(status, raised.Detail, "%s", raised.Message).WithHint("%s", raised.Hint)
			}
		}
	}
	return fmt.Errorf("%s: %w", operation, err)
}
