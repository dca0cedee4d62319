package structure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The program compiles for the other platforms that are released. Types are checked from source, which takes
// a fraction of what compiling takes. Function bodies of other modules are left out.
func TestOtherPlatformsCompile(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // half a gigabyte instead of a whole one
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, platform := range []string{"darwin/arm64", "windows/amd64"} { // one after the other: each takes memory
		goos, goarch, _ := strings.Cut(platform, "/")
		found, err := packages.Load(&packages.Config{
			Dir:  here,
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax,
			Env:  append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch),
			ParseFile: func(files *token.FileSet, name string, source []byte) (*ast.File, error) {
				file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
				if file != nil && !strings.HasPrefix(name, here) {
					for _, declaration := range file.Decls {
						if function, ok := declaration.(*ast.FuncDecl); ok {
							function.Body = nil
						}
					}
				}
				return file, err
			},
		}, "./server")
		if err != nil {
			t.Fatal(err)
		}
		checked := 0
		packages.Visit(found, nil, func(p *packages.Package) {
			if p.PkgPath != "plaza" && !strings.HasPrefix(p.PkgPath, "plaza/") {
				return
			}
			checked++
			for _, wrong := range p.Errors {
				t.Errorf("%s: %v", platform, wrong)
			}
		})
		if checked < 100 {
			t.Errorf("%s: only %d packages were checked", platform, checked)
		}
	}
}
