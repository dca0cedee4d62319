package config

import (
	"reflect"
	"slices"
	"strings"
)

// variables lists the environment variables of a settings struct.
func variables(structure reflect.Type, prefix string) []string {
	var names []string
	for i := range structure.NumField() {
		field := structure.Field(i)
		if name, ok := field.Tag.Lookup("env"); ok && name != "-" {
			names = append(names, prefix+strings.Split(name, ",")[0])
		} else if nested, ok := field.Tag.Lookup("envPrefix"); ok {
			names = append(names, variables(field.Type, prefix+nested)...)
		}
	}
	return names
}

// Known reports whether the server reads a variable.
func Known(variable string) bool {
	return slices.Contains(variables(reflect.TypeFor[Config](), ""), variable)
}
