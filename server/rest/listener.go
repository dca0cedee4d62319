package rest

import (
	"context"
	"sync"

	"plaza/server/pg"
)

// listener receives PostgreSQL's reload notifications. The settings determine
// whether it is active, and on which channel.
type listener struct {
	cache *schemaCache
	lost  context.CancelCauseFunc // ends Watch when automatic recovery is disabled

	channel string // empty while nothing listens
	stop    context.CancelFunc
	ended   sync.WaitGroup
}

// update starts, stops or restarts listening according to the current settings.
func (l *listener) update(ctx context.Context) {
	config := l.cache.state.Load().config
	channel := config.Channel
	if !config.ChannelEnabled {
		channel = ""
	}
	if channel == l.channel {
		return
	}
	l.close()
	if l.channel = channel; channel == "" {
		return
	}
	ctx, l.stop = context.WithCancel(ctx)
	l.ended.Go(func() {
		l.cache.db.Listen(ctx, channel, config.Reread, pg.Handler{Heard: l.cache.announce, Notify: l.cache.handleNotifications, Lost: func(err error) {
			l.cache.db.AnnounceReload() // changes are not heard; the schema is reloaded once they are
			if !l.cache.state.Load().config.Recovery {
				l.lost(ErrLost)
			}
			l.cache.log.WarnContext(ctx, "connection for notifications lost, reconnecting", "channel", channel, "error", err)
		}})
	})
}

// close stops listening and waits for the goroutine to end.
func (l *listener) close() {
	if l.stop != nil {
		l.stop()
		l.stop = nil
	}
	l.ended.Wait()
}
