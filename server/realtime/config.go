package realtime

import (
	"errors"
	"fmt"
	"time"

	"plaza/server/realtime/bus"
	"plaza/server/realtime/changes"
	"plaza/server/realtime/socket"
)

// Config holds supabase/realtime's settings. A limit of 0 means no limit.
type Config struct {
	Enabled     bool `env:"ENABLED" envDefault:"true"`
	PrivateOnly bool `env:"PRIVATE_ONLY"` // only private channels can be joined

	MaxUsers    int `env:"MAX_CONCURRENT_USERS" envDefault:"20000"`          // connections
	MaxChannels int `env:"MAX_CHANNELS_PER_CLIENT" envDefault:"100"`         // of one connection
	MaxEvents   int `env:"MAX_EVENTS_PER_SECOND"`                            // messages in and out, mean of a minute
	MaxJoins    int `env:"MAX_JOINS_PER_SECOND"`                             // mean of a minute
	MaxPresence int `env:"MAX_PRESENCE_EVENTS_PER_SECOND" envDefault:"1000"` // mean of a minute
	MaxTracks   int `env:"CLIENT_PRESENCE_MAX_CALLS" envDefault:"5"`         // of one channel in TrackWindow
	MaxPayload  int `env:"MAX_PAYLOAD_SIZE_IN_KB" envDefault:"3000"`         // KB of a broadcast or presence

	TrackWindow time.Duration `env:"CLIENT_PRESENCE_WINDOW" envDefault:"30s"`

	Bus       string `env:"BUS"`        // host and port at which other servers reach this one; empty: there are none
	BusListen string `env:"BUS_LISTEN"` // host and port to listen on for them; empty: those of Bus

	Pool int `env:"DB_POOL" envDefault:"5"` // concurrent policy checks; each uses a connection of the callers' pool

	Lag     changes.Limits `env:"-"` // of reading the WAL
	Sockets socket.Limits  `env:"-"` // of connections
}

// Check returns an error for each invalid setting.
func (c Config) Check() error {
	var wrong []error
	for name, value := range map[string]int{
		"MAX_CONCURRENT_USERS": c.MaxUsers, "MAX_CHANNELS_PER_CLIENT": c.MaxChannels, "MAX_EVENTS_PER_SECOND": c.MaxEvents, "MAX_JOINS_PER_SECOND": c.MaxJoins,
		"MAX_PRESENCE_EVENTS_PER_SECOND": c.MaxPresence, "CLIENT_PRESENCE_MAX_CALLS": c.MaxTracks,
	} {
		if value < 0 {
			wrong = append(wrong, fmt.Errorf("REALTIME_%s is %d: use 0 for no limit, or more", name, value))
		}
	}
	if c.MaxPayload < 1 || c.MaxPayload > maxPayload {
		wrong = append(wrong, fmt.Errorf("REALTIME_MAX_PAYLOAD_SIZE_IN_KB is %d: use 1 to %d", c.MaxPayload, maxPayload))
	}
	if err := bus.CheckAddress(c.Bus); c.Bus != "" && err != nil {
		wrong = append(wrong, fmt.Errorf("REALTIME_BUS: %w: use an address such as 10.0.0.1:4248 or [fd00::1]:4248", err))
	}
	if err := bus.CheckListen(c.BusListen); c.BusListen != "" && err != nil {
		wrong = append(wrong, fmt.Errorf("REALTIME_BUS_LISTEN: %w: use an address such as 0.0.0.0:4248 or [::]:4248", err))
	}
	if c.BusListen != "" && c.Bus == "" {
		wrong = append(wrong, errors.New("REALTIME_BUS_LISTEN is set without REALTIME_BUS"))
	}
	if c.Pool < 1 {
		wrong = append(wrong, fmt.Errorf("REALTIME_DB_POOL is %d: use 1 or more", c.Pool))
	}
	if c.TrackWindow <= 0 {
		wrong = append(wrong, fmt.Errorf("REALTIME_CLIENT_PRESENCE_WINDOW is %s: use a duration such as 30s", c.TrackWindow))
	}
	return errors.Join(wrong...)
}

// maxPayload is the maximum of MaxPayload: the socket refuses larger messages.
const maxPayload = 4800

// payloadGrace is the number of bytes by which a payload may exceed the limit.
//
// Source: upstream counts the payload with its member names.
const payloadGrace = 500

// fits reports whether a payload of a size may be sent.
func (c Config) fits(size int) bool { return size <= c.MaxPayload*1000+payloadGrace }
