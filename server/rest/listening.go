package rest

import (
	"context"
	"sync"
)

// listening is the connection on which PostgreSQL asks for reloads. Settings say
// whether there is one, and on which channel.
type listening struct {
	cache *schemaCache
	lost  context.CancelCauseFunc // ends Watch where the database may not be waited for

	channel string // empty while nothing listens
	stop    context.CancelFunc
	ended   sync.WaitGroup
}

// follow begins, ends or changes it as the settings in use say.
func (l *listening) follow(ctx context.Context) {
	config := l.cache.state.Load().config
	channel := config.Channel
	if !config.ChannelEnabled {
		channel = ""
	}
	if channel == l.channel {
		return
	}
	l.end()
	if l.channel = channel; channel == "" {
		return
	}
	ctx, l.stop = context.WithCancel(ctx)
	l.ended.Go(func() {
		l.cache.db.Listen(ctx, channel, config.Reread, l.cache.notified, func(err error) {
			if !l.cache.state.Load().config.Recovery {
				l.lost(ErrLost)
			}
			l.cache.log.WarnContext(ctx, "listening broke off, trying again", "channel", channel, "error", err)
		})
	})
}

// end stops listening and waits until it has.
func (l *listening) end() {
	if l.stop != nil {
		l.stop()
		l.stop = nil
	}
	l.ended.Wait()
}
