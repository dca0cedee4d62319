package edge

// PassedOn are the server's variables that functions may see.
var PassedOn = inheritedVariables
