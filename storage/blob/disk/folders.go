package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"syscall"

	"plaza/server/lru"
)

// maxKnown bounds how many folders are remembered. Our own names need 256.
const maxKnown = 4096

// folders makes folders and syncs them. A folder that was synced into its parent
// once is remembered, and syncs of one folder that come together are one.
type folders struct {
	root *os.Root

	// inUse is held for reading while a file is put into a folder that prune may
	// remove.
	inUse *sync.RWMutex

	mu      *sync.Mutex
	known   *lru.Unlocked[string, struct{}] // folders that are there to stay
	running map[string]*flight
}

// flight is a sync of a folder that is under way, and the one after it for
// those that came too late for it.
type flight struct {
	done chan struct{}
	err  error
	next *flight
}

func newFolders(root *os.Root) folders {
	return folders{
		root: root, inUse: new(sync.RWMutex), mu: new(sync.Mutex),
		known: lru.NewUnlocked[string, struct{}](maxKnown, nil), running: map[string]*flight{},
	}
}

// prunable reports whether a folder goes when it is empty: those at the top, which
// are few and used again and again, stay.
func prunable(folder string) bool { return strings.Contains(folder, "/") }

// hold keeps the folder of a file until the function it gives is called.
func (f *folders) hold(name string) (release func()) {
	if !prunable(path.Dir(name)) {
		return func() {}
	}
	f.inUse.RLock()
	return f.inUse.RUnlock
}

// ensure makes a folder and those above it, to stay.
func (f *folders) ensure(folder string) error {
	if folder == "." {
		return nil
	}
	f.mu.Lock()
	_, known := f.known.Get(folder)
	f.mu.Unlock()
	if known {
		return nil
	}
	parent := path.Dir(folder)
	if err := f.ensure(parent); err != nil {
		return err
	}
	if err := f.root.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := f.sync(parent); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known.Add(folder, struct{}{})
	return nil
}

// sync has all that was done in a folder before the call stay after a loss of
// power.
func (f *folders) sync(folder string) error {
	f.mu.Lock()
	mine := &flight{done: make(chan struct{})}
	current := f.running[folder]
	switch {
	case current == nil:
		f.running[folder] = mine
		f.mu.Unlock()
		f.fly(folder, mine)
	case current.next == nil:
		current.next = mine
		f.mu.Unlock()
		<-current.done
		f.fly(folder, mine)
	default:
		mine = current.next
		f.mu.Unlock()
		<-mine.done
	}
	return mine.err
}

// fly does a sync. Whoever waits to do the next one is let go.
func (f *folders) fly(folder string, mine *flight) {
	mine.err = syncFolder(f.root, folder)
	f.mu.Lock()
	if mine.next != nil {
		f.running[folder] = mine.next
	} else {
		delete(f.running, folder)
	}
	f.mu.Unlock()
	close(mine.done)
}

func syncFolder(root *os.Root, folder string) error {
	opened, err := root.Open(folder)
	if err != nil {
		return err
	}
	err = opened.Sync()
	// Some file systems cannot sync a folder and need not.
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, opened.Close())
}

// prune removes a folder, and those above it, where they are empty.
func (f *folders) prune(folder string) {
	if !prunable(folder) {
		return
	}
	f.inUse.Lock()
	defer f.inUse.Unlock()
	for prunable(folder) && f.root.Remove(folder) == nil {
		f.mu.Lock()
		f.known.Remove(folder)
		f.mu.Unlock()
		folder = path.Dir(folder)
	}
}

// keyedMutex is one lock for each key that is in use.
type keyedMutex struct {
	mu   sync.Mutex
	held map[string]*countedMutex
}

type countedMutex struct {
	sync.Mutex
	users int
}

// lock waits for a key's lock and gives what lets it go.
func (k *keyedMutex) lock(key string) (unlock func()) {
	k.mu.Lock()
	if k.held == nil {
		k.held = map[string]*countedMutex{}
	}
	one := k.held[key]
	if one == nil {
		one = new(countedMutex)
		k.held[key] = one
	}
	one.users++
	k.mu.Unlock()
	one.Lock()
	return func() {
		one.Unlock()
		k.mu.Lock()
		defer k.mu.Unlock()
		if one.users--; one.users == 0 {
			delete(k.held, key)
		}
	}
}
