package migrate

// StatementStart is exported for the tests. They are in another package because testkit imports
// this one.
var StatementStart = statementStart
