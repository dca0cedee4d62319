package http1

// WatchEvery is watchEvery, for tests.
const WatchEvery = watchEvery
