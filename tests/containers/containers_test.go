// Package containers tests Dockerfile and docker-compose.yml without a container engine: that they
// can be parsed, use settings that the server knows, and expose nothing that they should not.
package containers

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"

	"plaza/server/config"
)

const root = "../.."

// secrets are the variables that docker-compose.yml requires.
var secrets = []string{
	"JWT_SECRET=0123456789012345678901234567890123456789", "POSTGRES_PASSWORD=a-password", "S3_SECRET=another-password",
}

func load(t *testing.T, environ ...string) (*types.Project, error) {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{filepath.Join(root, "docker-compose.yml")}, cli.WithEnv(environ))
	if err != nil {
		t.Fatal(err)
	}
	return options.LoadProject(context.WithoutCancel(t.Context()))
}

func TestComposeSetsOnlyKnownVariables(t *testing.T) {
	t.Parallel()
	project, err := load(t, secrets...)
	if err != nil {
		t.Fatal(err)
	}
	var environ []string
	for name, value := range project.Services["plaza"].Environment {
		if !config.Known(name) {
			t.Errorf("%s is no setting of the server", name)
		}
		if value == nil {
			t.Fatalf("%s has no value", name)
		}
		environ = append(environ, name+"="+*value)
	}
	cfg, err := config.Load(environ)
	if err != nil {
		t.Errorf("the server refuses its settings: %v", err)
	}
	if cfg.Storage.Backend != "s3" || cfg.DatabaseURL.Reveal() == "" || cfg.Auth.SMTP.Host == "" {
		t.Error("an embedded default is in use")
	}
}

func TestComposeRequiresItsSecrets(t *testing.T) {
	t.Parallel()
	for i, one := range secrets {
		if _, err := load(t, slices.Delete(slices.Clone(secrets), i, i+1)...); err == nil {
			t.Errorf("it starts without %s", one)
		}
	}
}

func TestComposeBindsToLoopbackAndPinsImages(t *testing.T) {
	t.Parallel()
	project, err := load(t, secrets...)
	if err != nil {
		t.Fatal(err)
	}
	for name, service := range project.Services {
		for _, port := range service.Ports {
			if name != "plaza" && name != "mail" || port.HostIP != "127.0.0.1" || port.Target == 9464 {
				t.Errorf("%s publishes %s at %q", name, port.Published, port.HostIP)
			}
		}
		image, tag, _ := strings.Cut(service.Image, ":")
		if service.Build == nil && (tag == "" || tag == "latest") || namesRegistry(image) {
			t.Errorf("%s has image %q: name a version, and no registry", name, service.Image)
		}
	}
	for name, volume := range map[string]string{"plaza": "/data", "postgres": "/var/lib/postgresql", "objects": "/objects"} {
		if mounts := project.Services[name].Volumes; len(mounts) != 1 || mounts[0].Target != volume || mounts[0].Type != "volume" {
			t.Errorf("%s keeps its data at %v, want a volume at %s", name, mounts, volume)
		}
	}
	if plaza := project.Services["plaza"]; !plaza.ReadOnly || !slices.Contains(plaza.CapDrop, "ALL") {
		t.Error("plaza may write to its image, or has capabilities")
	}
}

// namesRegistry reports whether an image name includes its registry.
func namesRegistry(image string) bool {
	first, _, found := strings.Cut(image, "/")
	return found && strings.ContainsAny(first, ".:")
}

var (
	fromLine = regexp.MustCompile(`(?m)^FROM (\S+)`)
	copyLine = regexp.MustCompile(`(?m)^COPY (?:--\S+ )*(.+) \S+$`)
	envPair  = regexp.MustCompile(`\b([A-Z][A-Z_]+)=`)
)

func TestImageIsMinimalAndRunsUnprivileged(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	stages := fromLine.FindAllStringSubmatch(string(text), -1)
	if len(stages) < 2 || stages[len(stages)-1][1] != "scratch" {
		t.Errorf("stages: %v", stages)
	}
	for _, stage := range stages {
		image := stage[1]
		if namesRegistry(image) || image != "scratch" && (!strings.Contains(image, ":") || strings.HasSuffix(image, ":latest")) {
			t.Errorf("image %q: name a version, and no registry", image)
		}
	}
	last := string(text[strings.LastIndex(string(text), "FROM "):])
	for _, want := range []string{"USER 65532:65532", "VOLUME /data", `HEALTHCHECK `, `CMD ["/plaza", "ready"]`, "STOPSIGNAL SIGTERM", `ENTRYPOINT ["/plaza"]`} {
		if !strings.Contains(last, want) {
			t.Errorf("the last stage lacks %s", want)
		}
	}
	for line := range strings.Lines(last) {
		if settings, ok := strings.CutPrefix(line, "ENV "); ok {
			for _, pair := range envPair.FindAllStringSubmatch(settings, -1) {
				if !config.Known(pair[1]) {
					t.Errorf("%s is no setting of the server", pair[1])
				}
			}
		}
	}
}

// The build context contains only what .dockerignore allows: everything that is compiled, and no
// secret of a developer's folder.
func TestBuildContextIsComplete(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	var allowed []string
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			allowed = append(allowed, name)
		}
	}
	if !strings.HasPrefix(string(text), "*\n") {
		t.Error("it does not begin by shutting all out")
	}
	for _, need := range []string{"client", "functions", "server", "sql", "storage", "go.mod", "go.sum", "client/dist/.gitkeep",
		"embed.go", "*.md", "LICENSE", ".env.example", "docker-compose.yml", "docs", "tests/conformance/**/COVERAGE.md"} {
		if !slices.Contains(allowed, need) {
			t.Errorf("%s is not let in", need)
		}
	}
	docker, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range copyLine.FindAllStringSubmatch(string(docker), -1) {
		for _, from := range strings.Fields(match[1]) {
			if strings.HasPrefix(from, "/") { // from another stage
				continue
			}
			if _, err := os.Stat(filepath.Join(root, from)); err != nil {
				t.Errorf("COPY %s: %v", from, err)
			}
		}
	}
}

var (
	metricName  = regexp.MustCompile(`\bplaza_[a-z_]+[a-z]\b`)
	settingName = regexp.MustCompile("\\b([A-Z]+_[A-Z0-9_]+[A-Z0-9])(?:=|`)")
)

// The metrics and settings that docs/production.md mentions exist.
func TestProductionPageNamesExistingSettingsAndMetrics(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs/production.md"))
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	for _, pattern := range []string{"server/app/*.go", "server/ops/*.go", "functions/*/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sources.Write(text)
		}
	}
	metrics := metricName.FindAllString(string(page), -1)
	for _, name := range metrics {
		if !strings.Contains(sources.String(), `"`+strings.TrimSuffix(name, "_bucket")+`"`) {
			t.Errorf("there is no metric %s", name)
		}
	}
	settings := settingName.FindAllStringSubmatch(string(page), -1)
	for _, found := range settings {
		if !config.Known(found[1]) && !slices.Contains(knownElsewhere, found[1]) {
			t.Errorf("there is no setting %s", found[1])
		}
	}
	if len(metrics) < 8 || len(settings) < 20 {
		t.Errorf("found only %d metrics and %d settings: the check is blind", len(metrics), len(settings))
	}
}

// knownElsewhere lists settings that `plaza serve` does not read itself.
var knownElsewhere = []string{"PGRST_DB_PREPARED_STATEMENTS"}
