package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"

	"plaza/server/rest/schema"
)

// Document is a Swagger 2.0 document.
//
// Source: https://swagger.io/specification/v2/
type Document struct {
	head       head
	snapshot   *schema.Snapshot
	tables     []*schema.Table
	functions  []*schema.Function
	searchPath []string
}

// head holds the parts that do not depend on the size of the schema.
type head struct {
	Swagger             string                    `json:"swagger"`
	Info                info                      `json:"info"`
	Host                string                    `json:"host,omitempty"`
	BasePath            string                    `json:"basePath,omitempty"`
	Schemes             []string                  `json:"schemes,omitempty"`
	Consumes            []string                  `json:"consumes"`
	Produces            []string                  `json:"produces"`
	SecurityDefinitions map[string]securityScheme `json:"securityDefinitions,omitempty"`
	Security            []map[string][]string     `json:"security,omitempty"`
	ExternalDocs        externalDocs              `json:"externalDocs"`
}

// Write appends the document as JSON. It encodes table by table, because the document
// of a large schema has tens of megabytes. Angle brackets are not escaped.
func (d *Document) Write(out *bytes.Buffer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(d.head); err != nil {
		return err
	}
	out.Truncate(out.Len() - len("}\n"))
	out.WriteString(`,"paths":`)
	err := writeObject(out, encoder, d.paths)
	out.WriteString(`,"definitions":`)
	err = errors.Join(err, writeObject(out, encoder, d.definitions))
	out.WriteString(`,"parameters":`)
	err = errors.Join(err, writeObject(out, encoder, d.parameters))
	out.WriteString("}\n")
	return err
}

func (d *Document) paths(yield func(string, pathItem) bool) {
	if !yield("/", rootPath()) {
		return
	}
	for _, table := range d.tables {
		if !yield("/"+table.Name.Name, tablePath(table)) {
			return
		}
	}
	for _, function := range d.functions {
		if !yield("/rpc/"+function.Name.Name, functionPath(function, d.searchPath)) {
			return
		}
	}
}

func (d *Document) definitions(yield func(string, value) bool) {
	for _, table := range d.tables {
		if !yield(table.Name.Name, rowOf(table, d.snapshot.Relationships(table.Name))) {
			return
		}
	}
}

func (d *Document) parameters(yield func(string, parameter) bool) {
	for _, shared := range sharedParameters {
		if !yield(shared.key, shared.parameter) {
			return
		}
	}
	for _, table := range d.tables {
		for key, parameter := range tableParameters(table) {
			if !yield(key, parameter) {
				return
			}
		}
	}
}

// writeObject appends an object with its members in the given order.
func writeObject[V any](out *bytes.Buffer, encoder *json.Encoder, members iter.Seq2[string, V]) error {
	separator := ""
	out.WriteByte('{')
	for name, member := range members {
		out.WriteString(separator)
		if err := encoder.Encode(name); err != nil {
			return err
		}
		out.Truncate(out.Len() - len("\n"))
		out.WriteByte(':')
		if err := encoder.Encode(member); err != nil {
			return err
		}
		separator = ","
	}
	out.WriteByte('}')
	return nil
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

// value is a schema in Swagger's sense: the description of a value.
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

// properties holds an object's properties in the order of a table's columns.
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
	err := writeObject(&out, encoder, func(yield func(string, value) bool) {
		for _, member := range p {
			if !yield(member.name, member.value) {
				return
			}
		}
	})
	return out.Bytes(), err
}
