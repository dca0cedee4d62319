package ended_test

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"plaza/server/apierr"
	"plaza/server/auth/ended"
	"plaza/server/claims"
)

func TestRecheck(t *testing.T) {
	t.Parallel()
	set := claims.NewRefusedTokens()
	later := time.Now().Add(time.Hour).Unix()
	if unread := set.Add(fmt.Sprintf("1,s,ended,%d,%d 2,u,banned,%d,%d", later, later, later, later)); unread != 0 {
		t.Fatalf("%d rows unread", unread)
	}
	f := ended.New(nil, set, slog.New(slog.DiscardHandler), time.Now)
	for _, c := range []struct {
		who   claims.Caller
		code  string
		cause error
	}{
		{who: claims.Caller{}},
		{who: claims.ForRole(claims.ServiceRole)},
		{who: claims.Caller{SessionID: "open", Subject: "somebody"}},
		{claims.Caller{SessionID: "ended", Subject: "somebody"}, "session_not_found", claims.ErrSessionEnded},
		{claims.Caller{SessionID: "open", Subject: "banned"}, "user_banned", claims.ErrUserBanned},
	} {
		err := f.Recheck(c.who)
		if c.code == "" {
			if err != nil {
				t.Errorf("%+v: %v", c.who, err)
			}
			continue
		}
		if answer := apierr.As(err); answer == nil || answer.Status != 401 || answer.Code != c.code || !errors.Is(err, c.cause) {
			t.Errorf("%+v: %v, want 401 %s", c.who, err, c.code)
		}
	}
}
