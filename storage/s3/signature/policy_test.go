package signature

import (
	"encoding/base64"
	"encoding/hex"
	"maps"
	"testing"
	"time"
)

// form returns the fields of a signed form.
func form(policy string, extra map[string]string) map[string]string {
	scope := Scope{AccessKey: exampleKey, Date: "20130524", Region: "us-east-1"}
	encoded := base64.StdEncoding.EncodeToString([]byte(policy))
	fields := map[string]string{
		"policy": encoded, "x-amz-algorithm": algorithm, "x-amz-credential": exampleKey + "/" + scope.String(),
		"x-amz-date": "20130524T000000Z", "x-amz-signature": hex.EncodeToString(sum(scope.key(exampleSecret), encoded)),
	}
	maps.Copy(fields, extra)
	return fields
}

// submit verifies a form as a server does.
func submit(fields map[string]string, now time.Time) (*Policy, error) {
	s, err := ParseForm(fields)
	if err != nil {
		return nil, err
	}
	v := verifierAt(now)
	if err := v.VerifyForm(s, exampleSecret); err != nil {
		return nil, err
	}
	p, err := v.ParsePolicy(s)
	if err != nil {
		return nil, err
	}
	return p, p.Check(fields)
}

func TestFormPolicies(t *testing.T) {
	t.Parallel()
	const expires = `"expiration":"2013-05-25T00:00:00.000Z"`
	const policy = `{` + expires + `,"conditions":[{"bucket":"b"},["starts-with","$key","user/"],["eq","$Content-Type","image/png"],["content-length-range",5,10]]}`
	good := map[string]string{"bucket": "b", "key": "user/1", "content-type": "image/png"}
	with := func(changes ...string) map[string]string {
		fields := maps.Clone(good)
		for i := 0; i < len(changes); i += 2 {
			if fields[changes[i]] = changes[i+1]; changes[i+1] == "" {
				delete(fields, changes[i])
			}
		}
		return fields
	}
	late := exampleTime.Add(48 * time.Hour)
	tests := []struct {
		name   string
		fields map[string]string
		now    time.Time
		want   string
	}{
		{"all as the policy requires", form(policy, good), exampleTime, ""},
		{"a field that is ignored", form(policy, with("x-ignore-me", "x")), exampleTime, ""},
		{"after its time", form(policy, good), late, "ExpiredToken"},
		{"another bucket", form(policy, with("bucket", "c")), exampleTime, "AccessDenied"},
		{"another folder", form(policy, with("key", "other/1")), exampleTime, "AccessDenied"},
		{"another type", form(policy, with("content-type", "text/html")), exampleTime, "AccessDenied"},
		{"a field that is missing", form(policy, with("content-type", "")), exampleTime, "AccessDenied"},
		{"a field that no condition names", form(policy, with("x-amz-meta-a", "x")), exampleTime, "AccessDenied"},
		{"no signature", good, exampleTime, "AccessDenied"},
		{"no policy", form(policy, map[string]string{"policy": ""}), exampleTime, "InvalidSignature"},
		{"another policy", form(policy, with("policy", "e30=")), exampleTime, "SignatureDoesNotMatch"},
		{"another day", form(policy, with("x-amz-date", "20130523T000000Z")), exampleTime, "InvalidSignature"},
		{"no expiration", form(`{"conditions":[]}`, nil), exampleTime, "InvalidSignature"},
		{"no JSON", form(`{`, nil), exampleTime, "InvalidSignature"},
		{"a condition of two fields", form(`{`+expires+`,"conditions":[{"a":"1","b":"2"}]}`, nil), exampleTime, "InvalidSignature"},
		{"a condition that is not known", form(`{`+expires+`,"conditions":[["ends-with","$key","x"]]}`, nil), exampleTime, "InvalidSignature"},
		{"a range whose minimum exceeds its maximum", form(`{`+expires+`,"conditions":[["content-length-range",5,1]]}`, nil), exampleTime, "InvalidSignature"},
		{"a range without an end", form(`{`+expires+`,"conditions":[["content-length-range",5]]}`, nil), exampleTime, "InvalidSignature"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := submit(tt.fields, tt.now)
			if codeOf(err) != tt.want {
				t.Fatalf("%v, want %q", err, tt.want)
			}
			if tt.want == "" && (p.MinSize != 5 || p.MaxSize != 10) {
				t.Errorf("sizes %d to %d", p.MinSize, p.MaxSize)
			}
		})
	}
}
