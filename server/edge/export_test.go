package edge

// PassedOn are the variables that functions may see of the server.
var PassedOn = inheritedVariables
