package core

// Hears reports whether the service hears of changes, and keeps rows.
func (s *Service) Hears() bool { return s.cache.live.Load() }

// BlobName is for tests of names.
var BlobName = blobName
