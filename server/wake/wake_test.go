package wake_test

import (
	"testing"

	"plaza/server/wake"
)

func TestWakesBeforeALoopReceivesCountAsOne(t *testing.T) {
	t.Parallel()
	signal := wake.NewSignal()
	for range 2 {
		signal.Wake()
		signal.Wake()
		<-signal
		select {
		case <-signal:
			t.Error("the loop is woken twice")
		default:
		}
	}
}
