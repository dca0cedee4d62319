package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"

	"plaza/server/filesys"
	"plaza/server/lru"
)

// maxKnown is the size of the cache of known folders. Plaza's own blob names need 256.
const maxKnown = 4096

// folders creates and syncs folders. It caches which folders are durable, and merges
// concurrent syncs of the same folder.
type folders struct {
	root *os.Root

	// inUse is held for reading while a file is put into a folder that prune may
	// remove.
	inUse *sync.RWMutex

	mu      *sync.Mutex
	known   *lru.Unlocked[string, struct{}] // folders that exist durably
	running map[string]*folderSync
}

// folderSync is a running sync of a folder. next is the following sync, which covers
// changes made after this one has started.
type folderSync struct {
	done chan struct{}
	err  error
	next *folderSync
}

func newFolders(root *os.Root) folders {
	return folders{
		root: root, inUse: new(sync.RWMutex), mu: new(sync.Mutex),
		known: lru.NewUnlocked[string, struct{}](maxKnown, nil), running: map[string]*folderSync{},
	}
}

// prunable reports whether a folder is removed when it is empty. Top-level folders are
// kept, because there are few and they are used repeatedly.
func prunable(folder string) bool { return strings.Contains(folder, "/") }

// retain prevents the folder of a file from being removed until release is called.
func (f *folders) retain(name string) (release func()) {
	if !prunable(path.Dir(name)) {
		return func() {}
	}
	f.inUse.RLock()
	return f.inUse.RUnlock
}

// ensure creates a folder and its parents durably.
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

// sync makes all earlier changes of a folder durable.
func (f *folders) sync(folder string) error {
	f.mu.Lock()
	mine := &folderSync{done: make(chan struct{})}
	current := f.running[folder]
	switch {
	case current == nil:
		f.running[folder] = mine
		f.mu.Unlock()
		f.run(folder, mine)
	case current.next == nil:
		current.next = mine
		f.mu.Unlock()
		<-current.done
		f.run(folder, mine)
	default:
		mine = current.next
		f.mu.Unlock()
		<-mine.done
	}
	return mine.err
}

// run performs a sync, and then allows the next one to start.
func (f *folders) run(folder string, mine *folderSync) {
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
	return errors.Join(filesys.SyncFolder(opened), opened.Close())
}

// prune removes a folder and its parents if they are empty.
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

// keyedMutex is a set of mutexes, one for each key in use.
type keyedMutex struct {
	mu   sync.Mutex
	held map[string]*countedMutex
}

type countedMutex struct {
	sync.Mutex
	users int
}

// lock locks the mutex of a key and returns its unlock function.
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
