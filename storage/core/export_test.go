package core

// IsListening reports whether the service receives change notifications and caches rows.
func (s *Service) IsListening() bool { return s.cache.live.Load() }

// BlobName exports blobName for tests.
var BlobName = blobName
