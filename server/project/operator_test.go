package project_test

import (
	"strings"
	"testing"

	"plaza/server/project"
)

func TestOperator(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		operator project.Operator
		refused  string // empty: accepted
	}{
		"nothing set":         {project.Operator{}, ""},
		"all set":             {project.Operator{Name: "Plaça SL", Address: "Carrer Major 1, Encamp", Email: "hola@example.com"}, ""},
		"a long name":         {project.Operator{Name: strings.Repeat("x", 301)}, "PLAZA_OPERATOR_NAME"},
		"an address in lines": {project.Operator{Address: "Carrer Major 1\nEncamp"}, "PLAZA_OPERATOR_ADDRESS"},
		"no mail address":     {project.Operator{Email: "example.com"}, "PLAZA_OPERATOR_EMAIL"},
		"a name with it":      {project.Operator{Email: "Plaza <hola@example.com>"}, "PLAZA_OPERATOR_EMAIL"},
	} {
		err := tt.operator.Check()
		if (err == nil) != (tt.refused == "") || err != nil && !strings.Contains(err.Error(), tt.refused) {
			t.Errorf("%s: %v, want %q", name, err, tt.refused)
		}
	}
}

func TestOperatorIsRequiredOnlyIfNamed(t *testing.T) {
	t.Parallel()
	named := project.Operator{Name: "Plaza", Address: "Encamp", Email: "hola@example.com"}
	for name, tt := range map[string]struct {
		project  project.Project
		operator project.Operator
		missing  int
	}{
		"no legal pages":  {project.Project{}, project.Operator{}, 0},
		"nobody is named": {project.Project{NamesOperator: true}, project.Operator{Address: " "}, 3},
		"all are named":   {project.Project{NamesOperator: true}, named, 0},
	} {
		if found := tt.project.CheckProduction(tt.operator); len(found) != tt.missing {
			t.Errorf("%s: %v", name, found)
		}
	}
}
