package extensions_test

import (
	"strings"
	"testing"

	"github.com/caarlos0/env/v11"

	"plaza/server/extensions"
)

func TestInvalidSettings(t *testing.T) {
	t.Parallel()
	for setting, value := range map[string]string{
		"PG_NET_BATCH_SIZE": "0", "PG_NET_TTL": "1s", "PG_NET_PRIVATE_ADDRESSES": "yes", "PG_NET_MAX_RESPONSE_BYTES": "0",
		"CRON_MAX_RUNNING_JOBS": "33", "CRON_TIMEZONE": "Nowhere/City", "CRON_RUN_RETENTION": "-1s",
	} {
		config, err := env.ParseAsWithOptions[extensions.Config](env.Options{Environment: map[string]string{setting: value}})
		if err != nil {
			t.Fatal(err)
		}
		if err := config.Check(); err == nil || !strings.Contains(err.Error(), setting+" is ") {
			t.Errorf("%s=%s: %v", setting, value, err)
		}
	}
	config, err := env.ParseAsWithOptions[extensions.Config](env.Options{Environment: map[string]string{}})
	if err != nil || config.Check() != nil {
		t.Errorf("the defaults: %v, %v", err, config.Check())
	}
}
