package auth

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"plaza/server/auth/password"
)

// Quicken makes hashing cheap and lets answers come at once, for tests.
func (s *Server) Quicken() {
	const minCost = 4
	s.hasher, s.pace, s.keysEvery = password.NewHasher(minCost, 4), 0, time.Millisecond
}

// StopHashing lets no password be looked at: whoever asks is told that too many
// are.
func (s *Server) StopHashing() {
	const minCost = 4
	s.hasher = password.NewHasher(minCost, 0)
}

// SendDue sends the queued mails that are due.
func (s *Server) SendDue(ctx context.Context) error {
	_, err := s.sendDue(ctx)
	return err
}

// LimitKey names a client for the limits by address.
func LimitKey(deps Deps, client netip.Addr, forwarded string) string {
	request := &http.Request{RemoteAddr: netip.AddrPortFrom(client, 1).String(), Header: http.Header{}}
	if forwarded != "" {
		request.Header.Set("X-Forwarded-For", forwarded)
	}
	return (&Server{deps: deps}).limitKey(request)
}

// NextMail sends what is due and tells when the queue is looked at again.
func (s *Server) NextMail(ctx context.Context) (time.Duration, error) { return s.sendDue(ctx) }

// CleanUp removes what nothing needs any more.
func (s *Server) CleanUp(ctx context.Context) error { return s.cleanUp(ctx) }

// Statements are all SQL texts of the package, for the test that prepares them.
var Statements = map[string]string{
	"userByID": userByID, "userByEmail": userByEmail, "userLocked": userLocked, "userOfToken": userOfToken, "callerOfToken": callerOfToken,
	"insertUser": insertUser, "insertIdentity": insertIdentity, "confirmUser": confirmUser, "confirmIdentity": confirmIdentity,
	"refreshProviders": refreshProviders, "insertSession": insertSession, "insertRefresh": insertRefresh, "insertMethod": insertMethod,
	"noteSignIn": noteSignIn, "refreshSession": refreshSession, "endAll": endAll, "endOne": endOne, "endOthers": endOthers,
	"insertAudit": insertAudit, "clearToken": clearToken, "clearAllTokens": clearAllTokens, "insertToken": insertToken,
	"tokenByLink": tokenByLink, "tokensByAddress": tokensByAddress, "countAttempt": countAttempt, "noteConfirmation": noteConfirmation,
	"noteRecovery": noteRecovery, "noteChange": noteChange, "dropConfirmation": dropConfirmation, "dropRecovery": dropRecovery,
	"dropChangeNew": dropChangeNew, "dropChangeOld": dropChangeOld, "halfChange": halfChange, "finishChange": finishChange,
	"changeIdentity": changeIdentity, "setPassword": setPassword, "mergeData": mergeData, "insertFlow": insertFlow,
	"userByPhone": userByPhone, "confirmPhone": confirmPhone, "confirmPhoneIdentity": confirmPhoneIdentity, "setUnknownPassword": setUnknownPassword, "replacePassword": replacePassword,
	"notePhoneChange": notePhoneChange, "noteReauth": noteReauth, "noteInvite": noteInvite, "unsentConfirmation": unsentConfirmation,
	"unsentPhoneChange": unsentPhoneChange, "unsentReauth": unsentReauth, "dropPhoneChange": dropPhoneChange, "dropReauth": dropReauth,
	"beginChange": beginChange, "finishPhoneChange": finishPhoneChange, "changePhoneIdentity": changePhoneIdentity, "mergeAppData": mergeAppData,
	"spendLimit": spendLimit, "spendGuess": spendGuess, "returnGuess": returnGuess, "insertMail": insertMail, "claimMails": claimMails, "dropMail": dropMail, "delayMail": delayMail, "failMail": failMail,
	"keysInForce": keysInForce, "insertKey": insertKey, "endKeys": endKeys, "revokeKey": revokeKey,
	"banUser": banUser, "setRole": setRole, "setEmail": setEmail, "setPhone": setPhone, "notAnonymous": notAnonymous, "deleteUser": deleteUser,
	"setIdentity": setIdentity, "noteDeletion": noteDeletion, "usersPage": usersPage, "countUsers": countUsers, "auditPage": auditPage,
	"sessionsOf": sessionsOf, "exportSelf": exportSelf, "noteChangeOld": noteChangeOld, "noteChangeNew": noteChangeNew, "issueCode": issueCode, "flowByCode": flowByCode, "deleteFlow": deleteFlow,
	"insertOAuthFlow": insertOAuthFlow, "insertClientState": insertClientState, "claimFlow": claimFlow, "spendClientState": spendClientState,
	"finishFlow": finishFlow, "clearFlows": clearFlows, "clearClientStates": clearClientStates, "invitedBy": invitedBy, "identityByName": identityByName, "insertProviderIdentity": insertProviderIdentity,
	"updateIdentity": updateIdentity, "accountsOf": accountsOf, "addressTaken": addressTaken, "insertProviderUser": insertProviderUser,
	"mergeProfile": mergeProfile, "startAnew": startAnew, "dropOtherIdentities": dropOtherIdentities, "dropFactors": dropFactors,
	"dropPasskeys": dropPasskeys, "takeAddress": takeAddress, "deleteIdentity": deleteIdentity, "dropPhone": dropPhone,
	"nextAddress": nextAddress, "followIdentity": followIdentity, "customByName": customByName, "customList": customList,
	"customCount": customCount, "insertCustom": insertCustom, "updateCustom": updateCustom, "deleteCustom": deleteCustom,
}

var (
	CompileGlob = compileGlob
	ParseEmail  = parseEmail
	ParsePhone  = parsePhone
)

// Allows tells whether a link may lead to target.
func Allows(site string, list []string, target string) (bool, error) {
	rules, err := newRedirects(site, list)
	if err != nil {
		return false, err
	}
	return rules.allows(target), nil
}
