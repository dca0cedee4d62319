package disk_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"plaza/storage/blob/blobtest"
	"plaza/storage/blob/disk"
)

// BenchmarkPut puts blobs of 100 KB and compares that with the minimum: writing and
// syncing a file, and also renaming it and syncing the folder.
func BenchmarkPut(b *testing.B) {
	content := blobtest.Bytes(1, 100_000)
	for _, writers := range []int{1, 16} {
		b.Run(fmt.Sprintf("writers=%d/write-fsync", writers), func(b *testing.B) {
			folder := b.TempDir()
			parallel(b, writers, func(i int64) error { return writeAndSync(filepath.Join(folder, strconv.FormatInt(i, 10)), content) })
		})
		b.Run(fmt.Sprintf("writers=%d/write-fsync-rename-fsync", writers), func(b *testing.B) {
			folder := b.TempDir()
			parallel(b, writers, func(i int64) error {
				name := filepath.Join(folder, strconv.FormatInt(i, 10))
				if err := writeAndSync(name+".tmp", content); err != nil {
					return err
				}
				if err := os.Rename(name+".tmp", name); err != nil {
					return err
				}
				opened, err := os.Open(folder)
				if err != nil {
					return err
				}
				defer opened.Close()
				return opened.Sync()
			})
		})
		b.Run(fmt.Sprintf("writers=%d/put", writers), func(b *testing.B) {
			s, err := disk.Open(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			parallel(b, writers, func(i int64) error {
				_, err := s.Put(b.Context(), fmt.Sprintf("%02x/blob-%d", i%256, i), bytes.NewReader(content), int64(len(content)))
				return err
			})
		})
	}
}

func parallel(b *testing.B, writers int, write func(int64) error) {
	b.SetBytes(100_000)
	b.SetParallelism(max(1, writers/runtime.GOMAXPROCS(0)))
	var number atomic.Int64
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if err := write(number.Add(1)); err != nil {
				b.Error(err)
			}
		}
	})
	b.StopTimer()
}

func writeAndSync(name string, content []byte) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(content); err != nil {
		return err
	}
	return file.Sync()
}
