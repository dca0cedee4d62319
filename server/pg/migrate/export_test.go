package migrate

// StatementStart is open to the tests, which stand outside the package because
// testkit stands on it.
var StatementStart = statementStart
