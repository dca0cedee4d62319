package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/caarlos0/env/v11"

	restsettings "plaza/server/rest/settings"
)

// options returns options to parse variables as PostgREST does: the elements of lists
// are trimmed, and booleans have several spellings.
func options(values map[string]string) env.Options {
	return env.Options{Environment: values, FuncMap: map[reflect.Type]env.ParserFunc{
		reflect.TypeFor[bool](): func(text string) (any, error) { return parseBool(text) },
		reflect.TypeFor[[]string](): func(text string) (any, error) {
			list := strings.Split(text, ",")
			for i := range list {
				list[i] = strings.TrimSpace(list[i])
			}
			return list, nil
		},
	}}
}

// parseBool parses true and false in any case, also with quotes, and integers:
// positive ones are true.
func parseBool(text string) (bool, error) {
	letters := strings.Map(func(char rune) rune {
		if unicode.IsLetter(char) {
			return unicode.ToLower(char)
		}
		return -1
	}, text)
	if letters == "true" || letters == "false" {
		return letters == "true", nil
	}
	number, err := strconv.Atoi(text)
	return number > 0, err
}

// parse fills a settings struct. Its error lists all variables that cannot be parsed.
func parse[T any](values map[string]string) (T, error) {
	cfg, err := env.ParseAsWithOptions[T](options(values))
	if err == nil {
		return cfg, nil
	}
	failed := parseErrors[T](values)
	if len(failed) == 0 {
		return cfg, err
	}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(failed)) {
		wrong = append(wrong, failed[name])
	}
	return cfg, errors.Join(wrong...)
}

// parseErrors returns the errors of the variables that cannot be parsed, by name. It
// parses each variable separately, because the library's errors name Go fields.
func parseErrors[T any](values map[string]string) map[string]error {
	found := make(map[string]error)
	for name, value := range values {
		_, err := env.ParseAsWithOptions[T](options(map[string]string{name: value}))
		var wrong env.ParseError
		if errors.As(err, &wrong) {
			found[name] = fmt.Errorf("%s cannot be read: %w", name, wrong.Err)
		}
	}
	return found
}

// Override returns the configuration with the settings found in the database, by names
// such as db_schemas. Unknown settings are ignored.
func Override(base restsettings.Config, found map[string]string) (restsettings.Config, error) {
	values := make(map[string]string)
	for name, value := range found {
		values["PGRST_"+strings.ToUpper(name)] = value
	}
	given, err := parse[struct {
		Rest restsettings.Config `envPrefix:"PGRST_"`
	}](values)
	if err != nil {
		return base, err
	}
	to, from := reflect.ValueOf(&base).Elem(), reflect.ValueOf(given.Rest)
	for i := range to.NumField() {
		if _, set := values["PGRST_"+to.Type().Field(i).Tag.Get("env")]; set {
			to.Field(i).Set(from.Field(i))
		}
	}
	return base, base.Check()
}
