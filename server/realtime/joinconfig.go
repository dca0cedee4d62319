package realtime

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// joinConfig holds the options of a join.
type joinConfig struct {
	private          bool
	self             bool // it receives its own broadcasts
	ack              bool // broadcasts are acknowledged
	presence         bool // it receives presences
	presenceKey      string
	replay           *replay
	replicationReady bool
	wantsChanges     bool
	changes          [][]byte      // entries of postgres_changes, as sent
	wait             time.Duration // how long the answer waits for the subscription to changes; 0: not at all
	token            string        // empty: the connection's
}

// replay is a client's request for stored broadcasts.
type replay struct {
	since   time.Time
	limit   int
	isValid bool
}

// maxReplay is the maximum number of messages of a replay.
const maxReplay = 25

// isTrue decodes a boolean, which may be sent as a string.
func isTrue(value json.RawMessage, fallback bool) bool {
	switch string(value) {
	case "true", `"true"`:
		return true
	case "false", `"false"`:
		return false
	}
	return fallback
}

// parseJoin parses the payload of a join. Invalid values get their defaults.
func parseJoin(payload []byte) (config joinConfig, err error) {
	var sent struct {
		Config struct {
			Private   json.RawMessage
			Broadcast struct {
				Self, Ack        json.RawMessage
				Replay           *struct{ Since, Limit json.RawMessage }
				ReplicationReady json.RawMessage `json:"replication_ready"`
			}
			Presence struct {
				Key     string
				Enabled json.RawMessage
			}
			Changes        []json.RawMessage                       `json:"postgres_changes"`
			ChangesOptions struct{ Wait, Timeout json.RawMessage } `json:"postgres_changes_options"`
		}
		UserToken   string `json:"user_token"`
		AccessToken string `json:"access_token"`
	}
	err = json.Unmarshal(payload, &sent) // a member of the wrong type does not keep it from decoding the others
	c := &sent.Config
	config = joinConfig{
		private: isTrue(c.Private, false), self: isTrue(c.Broadcast.Self, false), ack: isTrue(c.Broadcast.Ack, false),
		replicationReady: isTrue(c.Broadcast.ReplicationReady, false), presence: isTrue(c.Presence.Enabled, true), presenceKey: c.Presence.Key, token: sent.UserToken,
	}
	if config.token == "" {
		config.token = sent.AccessToken
	}
	for _, entry := range c.Changes {
		if entry[0] == '{' {
			config.changes = append(config.changes, entry)
		}
	}
	config.wantsChanges = len(config.changes) > 0
	if config.wantsChanges && isTrue(c.ChangesOptions.Wait, false) {
		config.wait = parseWait(c.ChangesOptions.Timeout)
	}
	if r := c.Broadcast.Replay; r != nil {
		config.replay = parseReplay(r.Since, r.Limit)
	}
	return config, err
}

// How long a join waits for its subscription to changes. realtime-js expects these values of upstream.
const (
	defaultWait = 15 * time.Second
	maxWait     = 20 * time.Second
)

func parseWait(milliseconds json.RawMessage) time.Duration {
	wait, err := strconv.ParseFloat(string(milliseconds), 64)
	if err != nil || wait < 1 {
		return defaultWait
	}
	return time.Duration(min(wait, float64(maxWait/time.Millisecond))) * time.Millisecond
}

func parseReplay(since, limit json.RawMessage) *replay {
	at, err := strconv.ParseFloat(string(since), 64)
	request := &replay{since: time.UnixMilli(int64(at)), limit: maxReplay, isValid: err == nil && at >= 0 && at < math.MaxInt64}
	if len(limit) > 0 && string(limit) != "null" {
		request.limit, err = strconv.Atoi(string(limit))
		request.isValid = request.isValid && err == nil && request.limit >= 1 && request.limit <= maxReplay
	}
	return request
}
