// Gives the function a /tmp of its own: paths below /tmp that it passes to Deno's functions lead to a
// private folder, which is deleted with the process. Node's functions are not changed; they use the
// folder through os.tmpdir().
const ONE_PATH = [
  'chmod', 'chown', 'create', 'lstat', 'mkdir', 'open', 'readDir', 'readFile', 'readLink', 'readTextFile', 'realPath', 'remove', 'stat', 'truncate',
  'utime', 'writeFile', 'writeTextFile',
]
const TWO_PATHS = ['copyFile', 'link', 'rename', 'symlink']
const WITH_FOLDER = ['makeTempDir', 'makeTempFile']

const isIn = (folder, path) => path === folder || path.startsWith(`${folder}/`)

// Paths in readable are files of the project, even if the project itself is below /tmp.
export function redirectTemporaryFiles(folder, readable) {
  const redirect = (path) => {
    if (path instanceof URL) return path.protocol === 'file:' && isIn('/tmp', path.pathname) ? redirect(decodeURIComponent(path.pathname)) : path
    if (typeof path !== 'string' || !isIn('/tmp', path) || isIn(folder, path) || readable.some((known) => isIn(known, path))) return path
    return folder + path.slice('/tmp'.length)
  }
  const wrap = (names, change) => {
    for (const name of names.flatMap((name) => [name, `${name}Sync`])) {
      const real = Deno[name]
      if (real) Deno[name] = (...args) => real(...change(args))
    }
  }
  wrap(ONE_PATH, ([path, ...rest]) => [redirect(path), ...rest])
  wrap(TWO_PATHS, ([from, to, ...rest]) => [redirect(from), redirect(to), ...rest])
  wrap(WITH_FOLDER, ([options]) => [{ ...options, dir: redirect(options?.dir ?? folder) }])
}
