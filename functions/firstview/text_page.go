package firstview

import "plaza/server/site"

// AddText sets the module and the first view of a text page: its title and introduction. The
// text itself comes with the client.
func (v *Views) AddText(meta *site.Meta, name, title, intro string) {
	view := struct {
		page

		Title, Intro string
		IsPlans      bool
		Crumbs       []link
	}{Title: title, Intro: intro, IsPlans: name == "plans", Crumbs: []link{{Label: v.words.Say("Home"), To: "/"}, {Label: title, Here: true}}}
	// As the client's components have it: the text pages of layouts/info-page.tsx have a breadcrumb.
	if name == "plans" || name == "categoria-ejemplo" {
		view.Crumbs = nil
	}
	meta.Modules = routeModule(name)
	meta.Draw = func([]*site.Answer) site.View { return v.draw("text.html", view) }
}
