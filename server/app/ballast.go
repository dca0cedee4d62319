package app

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"plaza/server/config"
	"plaza/server/doctor"
	"plaza/server/freespace"
	"plaza/storage"
)

// ballastFile is next to the data folder of the embedded PostgreSQL.
const ballastFile = "ballast"

// ballast returns the reserve file that is deleted when the embedded PostgreSQL's disk is full.
func ballast(cfg config.Config, log *slog.Logger) *freespace.Ballast {
	return freespace.NewBallast(cfg.DataDir, ballastFile, int64(cfg.Ballast), log)
}

// keepBallast maintains the ballast file until release is called. release may be
// called more than once.
func keepBallast(ctx context.Context, held *freespace.Ballast) (release func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { held.Run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// examineDisk finds file systems that are nearly full.
func examineDisk(cfg config.Config) (findings []doctor.Finding) {
	if cfg.DatabaseURL.Reveal() == "" && ballast(cfg, slog.New(slog.DiscardHandler)).Missing() {
		findings = append(findings, doctor.Finding{
			Code: "ballast_missing", Subject: cfg.DataDir,
			Problem: "the reserve file that is deleted for PostgreSQL when the disk is full is missing: the disk was full, or has little free space",
			Remedy:  fmt.Sprintf("delete something: the file is created again when %d bytes are free", freespace.RestoreAt(int64(cfg.Ballast))),
		})
	}
	folder := storage.ObjectFolder(cfg.Storage, cfg.DataDir)
	if folder == "" {
		return findings
	}
	if err := freespace.NewGuard(folder, freespace.Floor(cfg.Storage.MinFree)).Check(0); err != nil {
		findings = append(findings, doctor.Finding{
			Code: "disk_low", Subject: folder, Problem: "uploads are refused: " + err.Error(), Remedy: "delete something, or lower STORAGE_MIN_FREE_BYTES",
		})
	}
	return findings
}
