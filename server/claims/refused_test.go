package claims_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"plaza/server/claims"
)

const (
	endedSession = "11111111-1111-4111-8111-111111111111"
	bannedUser   = "22222222-2222-4222-8222-222222222222"
)

func TestRefused(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	tests := []struct {
		name string
		rows []string
		who  claims.Caller
		want error
	}{
		{"an empty set refuses nobody", nil, claims.Caller{SessionID: endedSession, Subject: bannedUser}, nil},
		{"a session that ended", []string{"1,s," + endedSession + ",2000,2000"}, claims.Caller{SessionID: endedSession}, claims.ErrSessionEnded},
		{"another session of the user", []string{"1,s," + endedSession + ",2000,2000"}, claims.Caller{SessionID: bannedUser, Subject: endedSession}, nil},
		{"a banned user", []string{"1,u," + bannedUser + ",2000,3000"}, claims.Caller{SessionID: endedSession, Subject: bannedUser}, claims.ErrUserBanned},
		{"a ban that has ended", []string{"1,u," + bannedUser + ",1000,3000"}, claims.Caller{Subject: bannedUser}, nil},
		{"a lifted ban", []string{"1,u," + bannedUser + ",2000,3000", "2,u," + bannedUser + ",0,3000"}, claims.Caller{Subject: bannedUser}, nil},
		{"an older message comes late", []string{"2,u," + bannedUser + ",0,3000", "1,u," + bannedUser + ",2000,3000"}, claims.Caller{Subject: bannedUser}, nil},
		{"several in one message, in any order", []string{"5,u," + bannedUser + ",0,3000 1,s," + endedSession + ",2000,2000 4,u," + bannedUser + ",2000,3000"},
			claims.Caller{SessionID: endedSession, Subject: bannedUser}, claims.ErrSessionEnded},
		{"an API key has neither", []string{"1,s,,2000,2000 1,u,,2000,2000"}, claims.ForRole(claims.Anon), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			set := claims.NewRefusedTokens()
			for _, rows := range tt.rows {
				if unread := set.Add(rows); unread != 0 {
					t.Errorf("Add(%q) = %d", rows, unread)
				}
			}
			if err := set.Check(&tt.who, func() time.Time { return now }); !errors.Is(err, tt.want) {
				t.Errorf("Check = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	set := claims.NewRefusedTokens()
	set.Add("1,s," + endedSession + ",2000,2000 2,u," + bannedUser + ",0,3000")
	if unread := set.Add("nonsense 1,x,y,1,1 a,s,b,1,1"); unread != 3 {
		t.Errorf("unread rows: %d", unread)
	}
	set.Prune(time.Unix(2000, 0))
	if got := set.Len(); got != 1 {
		t.Errorf("entries: %d, want that of the user", got)
	}
	set.Prune(time.Unix(3000, 0))
	if got := set.Len(); got != 0 {
		t.Errorf("entries: %d", got)
	}
}

func TestRefusedIsReadWhileItChanges(t *testing.T) {
	t.Parallel()
	set := claims.NewRefusedTokens()
	set.Add("1,s," + endedSession + ",2000,2000")
	who := claims.Caller{SessionID: endedSession}
	var all sync.WaitGroup
	for writer := range 4 {
		all.Go(func() {
			for i := range 200 {
				set.Add(fmt.Sprintf("1,s,%d-%d,2000,2000", writer, i))
				set.Prune(time.Unix(1000, 0))
			}
		})
		all.Go(func() {
			for range 1000 {
				if err := set.Check(&who, func() time.Time { return time.Unix(1000, 0) }); !errors.Is(err, claims.ErrSessionEnded) {
					t.Errorf("Check = %v", err)
				}
			}
		})
	}
	all.Wait()
	if got := set.Len(); got != 801 {
		t.Errorf("entries: %d, want 801", got)
	}
}

func BenchmarkRefused(b *testing.B) {
	who := claims.Caller{SessionID: endedSession, Subject: bannedUser}
	for _, entries := range []int{0, 1, 100_000} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			set := claims.NewRefusedTokens()
			for i := range entries {
				set.Add(fmt.Sprintf("1,s,%08d-1111-4111-8111-111111111111,2000,2000", i))
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := set.Check(&who, time.Now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
