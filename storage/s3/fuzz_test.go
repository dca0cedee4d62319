package s3

import (
	"strings"
	"testing"

	"plaza/server/apierr"
)

// FuzzDocuments checks that any document is parsed or refused with an error for the
// client.
func FuzzDocuments(f *testing.F) {
	f.Add(`<Delete><Quiet>true</Quiet><Object><Key>a</Key></Object></Delete>`)
	f.Add(`<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Part><PartNumber>1</PartNumber><ETag>"x"</ETag></Part></CompleteMultipartUpload>`)
	f.Add(`<!DOCTYPE a [<!ENTITY b "c">]><Delete><Object><Key>&b;</Key></Object></Delete>`)
	f.Add(`<Delete><Object>`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, document := range []any{new(deletion), new(completion)} {
			err := readXML(&request{body: strings.NewReader(text)}, document)
			if err != nil && apierr.As(err) == nil {
				t.Errorf("not an error for clients: %v", err)
			}
		}
	})
}

func TestXMLEntitiesAreRefused(t *testing.T) {
	t.Parallel()
	err := readXML(&request{body: strings.NewReader(`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><Delete><Object><Key>&b;</Key></Object></Delete>`)}, new(deletion))
	if known := apierr.As(err); known == nil || known.Code != "MalformedXML" {
		t.Errorf("%v", err)
	}
}

func TestTooLargeDocumentIsRefused(t *testing.T) {
	t.Parallel()
	err := readXML(&request{body: strings.NewReader("<Delete>" + strings.Repeat(" ", maxDocument))}, new(deletion))
	if known := apierr.As(err); known == nil || known.Code != "EntityTooLarge" {
		t.Errorf("%v", err)
	}
}
