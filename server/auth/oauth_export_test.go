package auth

// OAuthStatements are all SQL texts of this server as a provider, for the test
// that prepares them.
var OAuthStatements = map[string]string{
	"clientByID": clientByID, "clientLocked": clientLocked, "clientsPage": clientsPage, "countClients": countClients,
	"insertClient": insertClient, "updateClient": updateClient, "deleteClient": deleteClient, "endClientSessions": endClientSessions,
	"insertAuthorization": insertAuthorization, "authorizationByID": authorizationByID, "authorizationByCode": authorizationByCode,
	"bindAuthorization": bindAuthorization, "approveAuthorization": approveAuthorization, "denyAuthorization": denyAuthorization,
	"expireAuthorization": expireAuthorization, "noteExchange": noteExchange, "endExchanged": endExchanged, "consentOf": consentOf,
	"consentLocked": consentLocked, "saveConsent": saveConsent, "consentsOfUser": consentsOfUser, "revokeConsent": revokeConsent,
	"endGrantSessions": endGrantSessions,
}
