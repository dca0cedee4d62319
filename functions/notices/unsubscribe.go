package notices

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/server/pg"
)

// UnsubscribePath is the path of unsubscribe links. A mail program POSTs to it (RFC 8058);
// a user who follows the link gets the client's page, whose button does the same. A GET
// changes nothing, as scanners follow links.
const UnsubscribePath = "/unsubscribe"

// unsubscribe ends a user's mails of a kind. It does nothing if the user was deleted.
const unsubscribe = `select private.unsubscribe($1::uuid, $2)`

var errBadLink = apierr.New(http.StatusBadRequest, "bad_link", "This link is not complete. Please use the one in the mail.")

var adapter = httpx.Adapter{
	Render: func(w http.ResponseWriter, _ *http.Request, e *apierr.Error) {
		_ = httpx.WriteJSON(w, e.Status, map[string]string{"code": e.Code, "message": e.Message})
	},
	Internal: apierr.New(http.StatusInternalServerError, "unsubscribe_failed", "You are not unsubscribed yet. Please try again."),
}

func (n *Notices) unsubscribePath(user, kind string) string {
	return UnsubscribePath + "?" + url.Values{"token": {newToken(n.options.Key, user, kind)}}.Encode()
}

// Unsubscribe handles a POST to an unsubscribe link, which needs no sign-in. The body is
// not read, as the link's token has all that is needed.
func (n *Notices) Unsubscribe() http.Handler {
	return adapter.Handle(func(w http.ResponseWriter, r *http.Request) error {
		user, kind, ok := readToken(n.options.Key, r.URL.Query().Get("token"))
		if !ok {
			return errBadLink
		}
		err := n.options.DB.AsService(r.Context(), pg.ServiceRole, func(tx pgx.Tx) error {
			_, err := tx.Exec(r.Context(), unsubscribe, user, kind)
			return err
		})
		if err != nil {
			return fmt.Errorf("unsubscribe: %w", err)
		}
		return httpx.WriteJSON(w, http.StatusOK, map[string]string{"kind": kind})
	})
}
