package openapi

import (
	"bytes"
	"encoding/json"
	"io"
)

// Document is a Swagger 2.0 document.
//
// Source: https://swagger.io/specification/v2/
type Document struct {
	Swagger             string                    `json:"swagger"`
	Info                info                      `json:"info"`
	Host                string                    `json:"host,omitempty"`
	BasePath            string                    `json:"basePath,omitempty"`
	Schemes             []string                  `json:"schemes,omitempty"`
	Consumes            []string                  `json:"consumes"`
	Produces            []string                  `json:"produces"`
	Paths               map[string]pathItem       `json:"paths"`
	Definitions         map[string]value          `json:"definitions,omitempty"`
	Parameters          map[string]parameter      `json:"parameters"`
	SecurityDefinitions map[string]securityScheme `json:"securityDefinitions,omitempty"`
	Security            []map[string][]string     `json:"security,omitempty"`
	ExternalDocs        externalDocs              `json:"externalDocs"`
}

// Write writes the document as JSON. Notes in it hold angle brackets, which
// stay readable.
func (d *Document) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(d)
}

type info struct {
	Description string `json:"description"`
	Title       string `json:"title"`
	Version     string `json:"version"`
}

type externalDocs struct {
	Description string `json:"description"`
	URL         string `json:"url"`
}

type securityScheme struct {
	Description string `json:"description"`
	In          string `json:"in"`
	Name        string `json:"name"`
	Type        string `json:"type"`
}

// pathItem holds the methods of a path.
type pathItem struct {
	Get    *operation `json:"get,omitempty"`
	Post   *operation `json:"post,omitempty"`
	Patch  *operation `json:"patch,omitempty"`
	Delete *operation `json:"delete,omitempty"`
}

type operation struct {
	Tags        []string            `json:"tags"`
	Summary     string              `json:"summary,omitempty"`
	Description string              `json:"description,omitempty"`
	Produces    []string            `json:"produces,omitempty"`
	Parameters  []any               `json:"parameters,omitempty"` // parameter or reference
	Responses   map[string]response `json:"responses"`
}

type response struct {
	Description string `json:"description"`
	Schema      *value `json:"schema,omitempty"`
}

// reference points at a shared parameter.
type reference struct {
	Ref string `json:"$ref"`
}

type parameter struct {
	Name             string   `json:"name"`
	Description      string   `json:"description,omitempty"`
	Required         bool     `json:"required"`
	In               string   `json:"in"`
	Type             string   `json:"type,omitempty"`
	Format           string   `json:"format,omitempty"`
	Items            *value   `json:"items,omitempty"`
	CollectionFormat string   `json:"collectionFormat,omitempty"`
	Enum             []string `json:"enum,omitempty"`
	Default          string   `json:"default,omitempty"`
	Schema           *value   `json:"schema,omitempty"`
}

// value is what Swagger calls a schema: how a value looks.
type value struct {
	Ref         string          `json:"$ref,omitempty"`
	Description string          `json:"description,omitempty"`
	Type        string          `json:"type,omitempty"`
	Format      string          `json:"format,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	Enum        []string        `json:"enum,omitempty"`
	MaxLength   *int32          `json:"maxLength,omitempty"`
	Items       *value          `json:"items,omitempty"`
	Required    []string        `json:"required,omitempty"`
	Properties  properties      `json:"properties,omitempty"`
}

// properties are an object's, in the order of a table's columns.
type properties []property

type property struct {
	name string
	value
}

// MarshalJSON writes an object.
func (p properties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	separator := byte('{')
	for _, member := range p {
		out.WriteByte(separator)
		if err := encoder.Encode(member.name); err != nil {
			return nil, err
		}
		out.WriteByte(':')
		if err := encoder.Encode(member.value); err != nil {
			return nil, err
		}
		separator = ','
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
