package embedded

import "fmt"

// minimum release per major version that has the fix for CVE-2024-10976 (a
// cached plan that used the row security of another role). Older majors than
// the first lack features the platform needs; newer ones never had the fault.
var minimum = []struct{ major, minor int }{{15, 9}, {16, 5}, {17, 1}}

// CheckVersion refuses a server that is older than 15 or lacks the fix for
// CVE-2024-10976. versionNum is what SHOW server_version_num answers, such as
// 170004. The error wraps ErrVersion.
func CheckVersion(versionNum int) error {
	major, minor := versionNum/10000, versionNum%10000
	if major < minimum[0].major {
		return fmt.Errorf("%w: this is %d.%d; use 15.9, 16.5, 17.1 or newer", ErrVersion, major, minor)
	}
	for _, m := range minimum {
		if major == m.major && minor < m.minor {
			return fmt.Errorf("%w: %d.%d mixes up row security between roles (CVE-2024-10976); update it to %d.%d or newer",
				ErrVersion, major, minor, m.major, m.minor)
		}
	}
	return nil
}
