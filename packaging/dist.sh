#!/usr/bin/env bash
# Builds what is released, below dist/: static binaries for TARGETS with checksums, lists of what is in
# them (CycloneDX), and the npm packages. The same sources give the same bytes. `make dist` calls it.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${VERSION:?}
targets=${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64}
cyclonedx=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

# A component list without the number and the time of the run.
clean() { node -e 'const s=JSON.parse(require("fs").readFileSync(0));delete s.serialNumber;delete s.metadata.timestamp;console.log(JSON.stringify(s,null,1))'; }

rm -rf dist
mkdir -p dist/build
packages=()
for target in $targets; do
  os=${target%/*} arch=${target#*/}
  suffix=; [ "$os" = windows ] && suffix=.exe
  folder=dist/build/plaza-$version-$os-$arch
  echo "· building $target"
  mkdir "$folder"
  # Without cgo the binary needs no library of the machine; time zones are in it.
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false -tags timetzdata -ldflags "$LDFLAGS" -o "$folder/plaza$suffix" ./server
  go run "$cyclonedx" bin -json -version "$version" "$folder/plaza$suffix" | clean >"dist/${folder##*/}.cdx.json"
  cp LICENSE README.md "$folder/"
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=u=rwX,go=rX -C dist/build -cf - "${folder##*/}" | gzip -9n >"dist/${folder##*/}.tar.gz"
  packages+=("$target=$folder/plaza$suffix")
done

(cd client && npm sbom --sbom-format cyclonedx --package-lock-only --omit dev) | clean >"dist/plaza-$version-client.cdx.json"
(cd dist && sha256sum -- *.tar.gz *.cdx.json >SHA256SUMS)

node packaging/npm/build.mjs --version "$version" --out dist/npm "${packages[@]}"
rm -rf dist/build
