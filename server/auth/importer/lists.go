package importer

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"plaza/server/lazyregexp"
)

// errStop ends the reading of a file whose remainder cannot be parsed.
var errStop = errors.New("the rest was not read")

func parseError(place string, err error) error { return fmt.Errorf("%s: %w; %w", place, err, errStop) }

// csvAccounts reads a list with the columns id, email, phone, password_hash,
// user_metadata, app_metadata, created_at and confirmed, in any order. Each account needs
// an email or a phone.
func csvAccounts(file io.Reader) iter.Seq2[account, error] {
	return func(yield func(account, error) bool) {
		lines := csv.NewReader(file)
		head, err := lines.Read()
		if err != nil {
			yield(account{}, parseError("line 1", err))
			return
		}
		for i := range head {
			head[i] = strings.ToLower(strings.TrimPrefix(head[i], "\ufeff"))
		}
		for {
			fields, err := lines.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(account{}, fmt.Errorf("%w; %w", err, errStop))
				return
			}
			line, _ := lines.FieldPos(0)
			values := make(map[string]any, len(head))
			for i, name := range head {
				values[name] = fields[i]
			}
			if a, err := parseListAccount(fmt.Sprintf("line %d", line), values); !yield(a, err) {
				return
			}
		}
	}
}

// jsonAccounts reads a JSON array of objects, or Firebase's export. It decodes one object at a
// time.
func jsonAccounts(file io.Reader, o Options) iter.Seq2[account, error] {
	return func(yield func(account, error) bool) {
		in := json.NewDecoder(file)
		in.UseNumber()
		number, firebase := 0, false
		each := func() bool {
			number++
			place := fmt.Sprintf("account %d", number)
			var values map[string]any
			if err := in.Decode(&values); err != nil {
				yield(account{}, parseError(place, err))
				return false
			}
			if firebase {
				return yield(parseFirebaseAccount(place, values, o.HashConfig))
			}
			return yield(parseListAccount(place, values))
		}
		start, err := in.Token()
		if err == nil && start == json.Delim('{') {
			firebase = true
			err = seekUsers(in)
		}
		if err != nil {
			yield(account{}, parseError("the beginning", err))
			return
		}
		for in.More() {
			if !each() {
				return
			}
		}
		if _, err := in.Token(); err != nil { // the end of the list
			yield(account{}, parseError("the end", err))
		}
	}
}

// seekUsers advances the decoder into the list with the key "users".
func seekUsers(in *json.Decoder) error {
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return err
		}
		if name == "users" {
			if list, err := in.Token(); err != nil || list != json.Delim('[') {
				return errors.New("users is no list")
			}
			return nil
		}
		var skipped json.RawMessage
		if err := in.Decode(&skipped); err != nil {
			return err
		}
	}
	return errors.New("it is neither a list of accounts nor an object with users")
}

func textField(values map[string]any, name string) string {
	if values[name] == nil {
		return ""
	}
	return strings.TrimSpace(fmt.Sprint(values[name]))
}

func parseListAccount(place string, values map[string]any) (a account, err error) {
	a = account{place: place, id: textField(values, "id"), email: textField(values, "email"), phone: textField(values, "phone"), hash: textField(values, "password_hash")}
	if a.user, err = parseObject(values["user_metadata"]); err != nil {
		return a, fmt.Errorf("%s: user_metadata: %w", place, err)
	}
	if a.app, err = parseObject(values["app_metadata"]); err != nil {
		return a, fmt.Errorf("%s: app_metadata: %w", place, err)
	}
	if created := textField(values, "created_at"); created != "" {
		if a.created, err = parseTime(created); err != nil {
			return a, fmt.Errorf("%s: created_at: %w", place, err)
		}
	}
	if confirmed := textField(values, "confirmed"); confirmed != "" {
		if a.confirmed, err = strconv.ParseBool(confirmed); err != nil {
			return a, fmt.Errorf("%s: confirmed is %q: use true or false", place, confirmed)
		}
		a.verified = a.confirmed
	}
	return a, nil
}

func parseObject(value any) (map[string]any, error) {
	switch value := value.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return value, nil
	case string:
		if strings.TrimSpace(value) == "" {
			return nil, nil
		}
		var found map[string]any
		if err := json.Unmarshal([]byte(value), &found); err != nil {
			return nil, errors.New("it is no JSON object")
		}
		return found, nil
	}
	return nil, errors.New("it is no JSON object")
}

func parseTime(value string) (time.Time, error) {
	for _, form := range []string{time.RFC3339, "2006-01-02 15:04:05Z07", "2006-01-02 15:04:05", time.DateOnly} {
		if at, err := time.Parse(form, value); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time: use a form such as 2026-01-31T12:00:00Z", value)
}

// firebaseProviders maps Firebase's names of providers to ours.
var firebaseProviders = map[string]string{
	"google.com": "google", "apple.com": "apple", "facebook.com": "facebook", "github.com": "github", "microsoft.com": "azure", "twitter.com": "x",
}

func parseFirebaseAccount(place string, values map[string]any, hashConfig string) (a account, err error) {
	uid := textField(values, "localId")
	if uid == "" {
		return a, fmt.Errorf("%s: no localId", place)
	}
	a = account{place: place, id: uuidOf(uid), email: textField(values, "email"), phone: textField(values, "phoneNumber"), app: map[string]any{}, user: map[string]any{}}
	a.confirmed, _ = values["emailVerified"].(bool)
	a.banned, _ = values["disabled"].(bool)
	a.verified = a.phone != "" // Firebase only stores verified numbers
	for from, to := range map[string]string{"displayName": "full_name", "photoUrl": "avatar_url"} {
		if value := textField(values, from); value != "" {
			a.user[to] = value
		}
	}
	if claims := textField(values, "customAttributes"); claims != "" {
		if a.app, err = parseObject(claims); err != nil {
			return a, fmt.Errorf("%s: customAttributes: %w", place, err)
		}
	}
	a.app["firebase_uid"] = uid
	a.created = parseMillis(values, "createdAt")
	if at := parseMillis(values, "lastSignedInAt"); !at.IsZero() {
		a.signedIn = &at
	}
	if written := textField(values, "passwordHash"); written != "" {
		if a.hash, err = firebaseHash(hashConfig, textField(values, "salt"), written); err != nil {
			return a, fmt.Errorf("%s: %w", place, err)
		}
	}
	providers, _ := values["providerUserInfo"].([]any)
	for _, one := range providers {
		info, _ := one.(map[string]any)
		provider, known := firebaseProviders[textField(info, "providerId")]
		id := textField(info, "rawId")
		if !known || id == "" {
			continue
		}
		data := map[string]any{"provider_id": id}
		for from, to := range map[string]string{"email": "email", "displayName": "full_name", "photoUrl": "avatar_url"} {
			if value := textField(info, from); value != "" {
				data[to] = value
			}
		}
		a.identities = append(a.identities, identity{provider, id, data})
	}
	return a, nil
}

// uuidOf derives a UUID from a Firebase id. The same id always yields the same UUID.
func uuidOf(uid string) string {
	sum := sha256.Sum256([]byte("firebase/" + uid))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // version 8: custom
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

func parseMillis(values map[string]any, name string) time.Time {
	count, err := strconv.ParseInt(textField(values, name), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(count)
}

var hashSetting = lazyregexp.New(`"?(base64_signer_key|base64_salt_separator|rounds|mem_cost)"?\s*:\s*"?([^",\s]+)`)

// firebaseHash encodes a hash with the project's parameters, which are those of hash_config
// in the Firebase console.
func firebaseHash(hashConfig, salt, written string) (string, error) {
	found := map[string]string{}
	for _, match := range hashSetting().FindAllStringSubmatch(hashConfig, -1) {
		found[match[1]] = match[2]
	}
	if found["base64_signer_key"] == "" || found["rounds"] == "" || found["mem_cost"] == "" {
		return "", errors.New("a password needs --hash-config FILE with Firebase's hash_config (base64_signer_key, base64_salt_separator, rounds, mem_cost)")
	}
	separator := ""
	if s := found["base64_salt_separator"]; s != "" {
		separator = "ss=" + s + ","
	}
	return fmt.Sprintf("$fbscrypt$v=1,n=%s,r=%s,p=1,%ssk=%s$%s$%s", found["mem_cost"], found["rounds"], separator, found["base64_signer_key"], salt, written), nil
}
