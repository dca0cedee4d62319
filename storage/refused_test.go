package storage_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"plaza/server/claims"
)

// The token of a session that ended is refused, as a bearer token and as a session
// token of the S3 protocol. So is the token of a banned user.
func TestTokensOfEndedSessionsAndBannedUsersAreRefused(t *testing.T) {
	t.Parallel()
	const session = "0d000000-0000-4000-8000-000000000001"
	later := time.Now().Add(time.Hour).Unix()
	for message, row := range map[string]string{
		"session of the token has ended": fmt.Sprintf("1,s,%s,%d,%d", session, later, later),
		"user is banned":                 fmt.Sprintf("1,u,%s,%d,%d", ana, later, later),
	} {
		t.Run(message, func(t *testing.T) {
			t.Parallel()
			k, refused := start(t), claims.NewRefusedTokens()
			k.auth.Verifier.Refuse(refused)
			token, err := k.auth.Verifier.Mint(map[string]any{"role": claims.Authenticated, "sub": ana, "session_id": session, "exp": later})
			if err != nil {
				t.Fatal(err)
			}
			list := func() (int, string, error) {
				got := k.do(call{method: "GET", path: "/bucket", as: token})
				_, failed := k.sdk(keys{"stub", k.auth.Keys.Anon, token}).ListObjectsV2(t.Context(), &s3.ListObjectsV2Input{Bucket: aws.String("own")})
				return got.StatusCode, got.body, failed
			}
			if status, body, failed := list(); status != http.StatusOK || failed != nil {
				t.Fatalf("before: %d %s, %v", status, body, failed)
			}
			refused.Add(row)
			status, body, failed := list()
			if status != http.StatusBadRequest || !strings.Contains(body, `"statusCode":"403"`) || !strings.Contains(body, message) {
				t.Errorf("%d %s", status, body)
			}
			wantS3(t, failed, "ExpiredToken")
		})
	}
}
