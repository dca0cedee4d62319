package docsite

import (
	"bytes"
	"fmt"
	"html/template"
	"image"
	_ "image/png" // the size of a picture
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	_ "golang.org/x/image/webp" // the size of a picture
)

// markdown renders GitHub's Markdown. HTML in a document is left out.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		// The default renderers have priority 1000, those of an extension 500.
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(scrollable{html.NewConfig()}, 100))),
	)
})

// heading is a heading below the title, and the text up to the next one.
type heading struct {
	ID, Title string
	Level     int
	text      string
}

// rendered is a document as HTML. The first heading has the text before all others.
type rendered struct {
	html     template.HTML
	headings []heading
	missing  []string // targets of relative links that are not part of the documentation
}

// render renders a document. isPage reports whether a file or folder has a page.
func render(d document, isPage func(name string) bool, pictures map[string][]byte) (rendered, error) {
	if !d.isMarkdown() {
		code := template.HTML(`<h1>` + template.HTMLEscapeString(d.title) + `</h1><pre tabindex="0"><code>` + template.HTMLEscapeString(string(d.source)) + `</code></pre>`)
		return rendered{html: code, headings: []heading{{Title: d.title, text: string(d.source)}}}, nil
	}
	tree := markdown().Parser().Parse(text.NewReader(d.source))
	out := rendered{headings: []heading{{Title: d.title}}}
	if err := out.rewrite(tree, d, isPage, pictures); err != nil {
		return out, err
	}
	var page bytes.Buffer
	if err := markdown().Renderer().Render(&page, d.source, tree); err != nil {
		return out, fmt.Errorf("render %s: %w", d.name, err)
	}
	out.html = template.HTML(page.String())
	return out, nil
}

// rewrite resolves the document's links, adds anchors to its headings, and collects those and the text.
func (out *rendered) rewrite(tree ast.Node, d document, isPage func(string) bool, pictures map[string][]byte) error {
	var plain strings.Builder
	var replaced []*ast.Link
	flush := func() {
		out.headings[len(out.headings)-1].text = strings.Join(strings.Fields(plain.String()), " ")
		plain.Reset()
	}
	err := ast.Walk(tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if node.Type() == ast.TypeBlock {
				plain.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Heading:
			if node.Level == 1 {
				return ast.WalkSkipChildren, nil
			}
			flush()
			out.headings = append(out.headings, anchored(node, d.source))
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			plain.Write(node.Value(d.source))
			if node.SoftLineBreak() || node.HardLineBreak() {
				plain.WriteByte(' ')
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			plain.Write(node.Lines().Value(d.source))
		case *ast.Link:
			if !out.resolve(node, d, isPage) {
				replaced = append(replaced, node)
			}
		case *ast.Image:
			out.resolvePicture(node, d, pictures)
		}
		return ast.WalkContinue, nil
	})
	flush()
	for _, link := range replaced {
		for child := link.FirstChild(); child != nil; child = link.FirstChild() {
			link.Parent().InsertBefore(link.Parent(), link, child)
		}
		link.Parent().RemoveChild(link.Parent(), link)
	}
	return err
}

// anchored adds a link to a heading that has its own address.
func anchored(node *ast.Heading, source []byte) heading {
	var title strings.Builder
	_ = ast.Walk(node, func(child ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		if part, ok := child.(*ast.Text); ok && entering {
			title.Write(part.Value(source))
		}
		return ast.WalkContinue, nil
	})
	id, _ := node.AttributeString("id")
	found := heading{ID: string(id.([]byte)), Title: title.String(), Level: node.Level}
	link := ast.NewLink()
	link.Destination = []byte("#" + found.ID)
	link.SetAttributeString("class", []byte("anchor"))
	link.SetAttributeString("aria-label", []byte("Link to “"+found.Title+"”"))
	link.AppendChild(link, ast.NewString([]byte("#")))
	node.AppendChild(node, link)
	return found
}

// target returns the file of the documentation that a relative link of a document names, and the rest of the link.
func target(d document, destination string) (name, fragment string, isRelative bool) {
	file, fragment, _ := strings.Cut(destination, "#")
	if file == "" || strings.Contains(file, ":") || strings.HasPrefix(file, "/") {
		return "", "", false
	}
	if fragment != "" {
		fragment = "#" + fragment
	}
	return path.Join(path.Dir(d.name), file), fragment, true
}

// resolve turns a relative link to a file into one to its page. It reports false if there is no such page.
func (out *rendered) resolve(link *ast.Link, d document, isPage func(string) bool) bool {
	name, fragment, isRelative := target(d, string(link.Destination))
	if !isRelative {
		return true
	}
	if !isPage(name) {
		out.missing = append(out.missing, name)
		return false
	}
	link.Destination = []byte(address(name) + fragment)
	return true
}

// resolvePicture sets the address and the size of a picture, so that the page does not move when it loads.
func (out *rendered) resolvePicture(node *ast.Image, d document, pictures map[string][]byte) {
	name, _, isRelative := target(d, string(node.Destination))
	if !isRelative {
		return
	}
	content, ok := pictures[name]
	if !ok {
		out.missing = append(out.missing, name)
		return
	}
	node.Destination = []byte(address(name))
	if size, _, err := image.DecodeConfig(bytes.NewReader(content)); err == nil {
		node.SetAttributeString("width", []byte(strconv.Itoa(size.Width)))
		node.SetAttributeString("height", []byte(strconv.Itoa(size.Height)))
	}
}

// scrollable renders tables and code in boxes that scroll on narrow screens, also by keyboard.
type scrollable struct{ html.Config }

// RegisterFuncs implements renderer.NodeRenderer.
func (s scrollable) RegisterFuncs(registry renderer.NodeRendererFuncRegisterer) {
	registry.Register(tables.KindTable, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(`<div class="scroll" tabindex="0"><table>`) // the writer keeps its error
		} else {
			_, _ = w.WriteString("</table></div>\n")
		}
		return ast.WalkContinue, nil
	})
	code := func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(`<pre tabindex="0"><code>`)
			s.Writer.RawWrite(w, node.Lines().Value(source))
			_, _ = w.WriteString("</code></pre>\n")
		}
		return ast.WalkContinue, nil
	}
	registry.Register(ast.KindFencedCodeBlock, code)
	registry.Register(ast.KindCodeBlock, code)
}
