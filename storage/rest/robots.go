package rest

import (
	"net/http"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/lazyregexp"
	"plaza/storage/storageerr"
)

var (
	plainRobots = lazyregexp.New(`^(all|noindex|nofollow|none|nosnippet|indexifembedded|notranslate|noimageindex)$`)
	robotsValue = lazyregexp.New(`^(max-snippet|max-image-preview|max-video-preview|unavailable_after):\s*(.*)$`)
	robotsDate  = lazyregexp.New(`unavailable_after:\s*(?:[A-Za-z]{3,9},\s*)?[^,]+`)
)

// checkRobotsTag returns an error for an invalid value of X-Robots-Tag. A valid value is
// a list of rules, separated by commas, each of which may begin with a robot's name.
//
// Errors: InvalidRequest.
func checkRobotsTag(value string) error {
	if strings.TrimSpace(value) == "" {
		return robotsError("X-Robots-Tag header value must be a non-empty string")
	}
	// A date may contain a comma.
	value = robotsDate().ReplaceAllStringFunc(value, func(rule string) string { return strings.ReplaceAll(rule, ",", " ") })
	for rule := range strings.SplitSeq(value, ",") {
		if err := checkRobotsRule(strings.TrimSpace(rule)); err != nil {
			return err
		}
	}
	return nil
}

func checkRobotsRule(rule string) error {
	if rule == "" {
		return robotsError("X-Robots-Tag header contains empty rule")
	}
	if plainRobots().MatchString(rule) {
		return nil
	}
	if found := robotsValue().FindStringSubmatch(rule); found != nil {
		return checkRobotsValue(found[1], strings.TrimSpace(found[2]))
	}
	robot, rest, ok := strings.Cut(rule, ":")
	if !ok {
		return robotsError(`Invalid X-Robots-Tag rule: "` + rule + `"`)
	}
	if rest = strings.TrimSpace(rest); rest == "" {
		return robotsError(`X-Robots-Tag user agent "` + strings.TrimSpace(robot) + `" has no rules specified`)
	}
	return checkRobotsRule(rest)
}

func checkRobotsValue(name, value string) error {
	ok := true
	switch name {
	case "max-snippet", "max-video-preview":
		number, err := strconv.Atoi(value)
		ok = err == nil && number >= -1
	case "max-image-preview":
		ok = value == "none" || value == "standard" || value == "large"
	}
	switch {
	case value == "":
		return robotsError(`X-Robots-Tag rule "` + name + `" requires a value`)
	case !ok:
		return robotsError(`X-Robots-Tag "` + name + `" has no such value: "` + value + `"`)
	}
	return nil
}

func robotsError(text string) error {
	return apierr.New(http.StatusBadRequest, storageerr.CodeInvalidRequest, "Invalid X-Robots-Tag header: %s", text).WithHint("invalid_x_robots_tag")
}
