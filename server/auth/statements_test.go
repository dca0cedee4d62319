package auth_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"plaza/tests/testkit"
)

// constants are the string constants of this folder and those below, by package and name.
type constants map[string]ast.Expr

func readConstants(t *testing.T) constants {
	t.Helper()
	found := constants{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			group, ok := declaration.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				values := spec.(*ast.ValueSpec)
				for i, name := range values.Names {
					if i < len(values.Values) {
						found[file.Name.Name+"."+name.Name] = values.Values[i]
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// text evaluates a constant's expression in a package. ok is false if it is not a string.
func (c constants) text(expression ast.Expr, in string) (text string, ok bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.ParenExpr:
		return c.text(e.X, in)
	case *ast.BinaryExpr:
		left, leftOK := c.text(e.X, in)
		right, rightOK := c.text(e.Y, in)
		return left + right, leftOK && rightOK
	case *ast.Ident:
		value, ok := c[in+"."+e.Name]
		if !ok {
			return "", false
		}
		return c.text(value, in)
	case *ast.SelectorExpr:
		if other, ok := e.X.(*ast.Ident); ok {
			return c.text(e.Sel, other.Name)
		}
	}
	return "", false
}

var statement = regexp.MustCompile(`(?i)^\s*(select|insert into|update|delete from|with)\s`)

// Every constant that is a statement is prepared against the real tables.
func TestStatementsFitTheSchema(t *testing.T) {
	t.Parallel()
	tx := testkit.Tx(t)
	found, prepared := readConstants(t), 0
	for name, expression := range found {
		in, _, _ := strings.Cut(name, ".")
		sql, ok := found.text(expression, in)
		if !ok || !statement.MatchString(sql) || in == "importer" { // importer uses temporary tables
			continue
		}
		prepared++
		if _, err := tx.Prepare(t.Context(), name, sql); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	const minimum = 150
	if prepared < minimum {
		t.Errorf("only %d statements were found", prepared)
	}
}
