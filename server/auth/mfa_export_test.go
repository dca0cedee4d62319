package auth

// FactorStatements are all SQL texts of second factors and passkeys, for the
// test that prepares them.
var FactorStatements = map[string]string{
	"lockUser": lockUser, "lockSession": lockSession, "factorByID": factorByID, "factorsOfUser": factorsOfUser, "insertFactor": insertFactor,
	"dropStale": dropStale, "dropUnverified": dropUnverified, "deleteFactor": deleteFactor, "useFactor": useFactor, "renameFactor": renameFactor,
	"dropMethod": dropMethod, "lowerSessions": lowerSessions, "insertChallenge": insertChallenge, "noteChallenge": noteChallenge,
	"dropOldChallenges": dropOldChallenges, "challengeByID": challengeByID, "countMissedCode": countMissedCode, "dropChallenge": dropChallenge,
	"unnoteChallenge": unnoteChallenge, "spendChallenge": spendChallenge, "raiseSession": raiseSession, "addMethod": addMethod,
	"endRefresh": endRefresh, "endLower": endLower, "methodsOf": methodsOf, "recoveryState": recoveryState, "dropRecoveryCodes": dropRecoveryCodes,
	"insertRecoveryCode": insertRecoveryCode, "setRecoveryKey": setRecoveryKey, "useRecoveryCode": useRecoveryCode, "countFactorMiss": countFactorMiss,
	"passkeysOfUser": passkeysOfUser, "passkeyOfUser": passkeyOfUser, "insertPasskey": insertPasskey, "usePasskey": usePasskey,
	"renamePasskey": renamePasskey, "deletePasskey": deletePasskey, "insertCeremony": insertCeremony, "spendCeremony": spendCeremony,
	"dropOldCeremonies": dropOldCeremonies,
}
