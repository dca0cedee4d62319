//go:build linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// cpuGroups is the folder of the CPU controller of cgroups, version 1.
const cpuGroups = "/sys/fs/cgroup/cpu"

// cpuPeriod is the period for which a limit of processor time is enforced.
const cpuPeriod = 20 * time.Millisecond

// LimitCPU limits the processor time of the node's programs, and of what they start: 0.5 is half of one processor.
func (n *Node) LimitCPU(ctx context.Context, processors float64) error {
	group := filepath.Join(cpuGroups, n.namespace)
	if err := os.Mkdir(group, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("limit processor time (cgroups of version 1): %w", err)
	}
	quota := time.Duration(processors * float64(cpuPeriod))
	for name, value := range map[string]int64{"cpu.cfs_quota_us": -1, "cpu.cfs_period_us": cpuPeriod.Microseconds()} {
		if err := writeNumber(filepath.Join(group, name), value); err != nil {
			return err
		}
	}
	if err := writeNumber(filepath.Join(group, "cpu.cfs_quota_us"), quota.Microseconds()); err != nil {
		return err
	}
	pids, err := processes(ctx, n.namespace)
	if err != nil {
		return err
	}
	for _, pid := range pids {
		if err := writeNumber(filepath.Join(group, "cgroup.procs"), int64(pid)); err != nil {
			return err
		}
	}
	return nil
}

func writeNumber(path string, value int64) error {
	return os.WriteFile(path, strconv.AppendInt(nil, value, 10), 0o600)
}

// removeCPUGroup removes a node's limit. Its programs have ended, but belong to the group until their parents notice.
func removeCPUGroup(namespace string) error {
	for end := time.Now().Add(killTimeout); ; time.Sleep(10 * time.Millisecond) {
		err := os.Remove(filepath.Join(cpuGroups, namespace))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if !errors.Is(err, syscall.EBUSY) || time.Now().After(end) {
			return err
		}
	}
}
