package app

import (
	"os"
	"path/filepath"
	"testing"

	"plaza/server/project"
)

func TestProvidersOfAProjectFolder(t *testing.T) {
	t.Setenv("TEST_GITHUB_SECRET", "from-the-environment")
	t.Setenv("GOTRUE_EXTERNAL_GITHUB_URL", "https://wins.example.com")
	folder := t.TempDir()
	settings := `
[auth]
enable_manual_linking = true
[auth.external.github]
enabled = true
client_id = "our-client"
secret = "env(TEST_GITHUB_SECRET)"
url = "https://loses.example.com"
[auth.external.apple]
enabled = false
client_id = ""
[auth.external.slack]
enabled = true
`
	if err := os.WriteFile(filepath.Join(folder, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	_, cfg, err := Choose(folder, project.Project{}, []string{"GOTRUE_EXTERNAL_GITHUB_URL=https://wins.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	got := cfg.Auth.External.GitHub
	if !got.Enabled || got.ClientIDs[0] != "our-client" || got.Secret.Reveal() != "from-the-environment" || got.URL != "https://wins.example.com" {
		t.Errorf("settings %+v", got)
	}
	if cfg.Auth.External.Apple.Enabled || !cfg.Auth.Security.ManualLinking {
		t.Errorf("apple %+v, linking %v", cfg.Auth.External.Apple, cfg.Auth.Security.ManualLinking)
	}
}
