// Makes the README's pictures in docs/pictures from a running server: what `plaza start` prints, and the
// built-in marketplace. `make readme-pictures` calls it.
import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const { chromium } = createRequire(join(root, 'tests/package.json'))('@playwright/test')
const plaza = join(root, 'bin/plaza')
const work = await mkdtemp(join(tmpdir(), 'plaza-pictures.'))
await chmod(work, 0o755) // PostgreSQL's own user must be able to enter
const pictures = join(root, 'docs/pictures')
await mkdir(pictures, { recursive: true })

/** Starts the binary and resolves with its output when it is ready. */
async function start(args, folder, settings) {
  const server = spawn(plaza, args, { cwd: folder, env: { ...process.env, ...settings } })
  let said = ''
  const stopped = new Promise((done) => server.on('exit', done))
  await new Promise((ready, failed) => {
    const hear = (chunk) => {
      said += chunk
      if (/is ready[\s\S]*\n\n?$/.test(said)) setTimeout(ready, 300)
    }
    server.stdout.on('data', hear)
    server.stderr.on('data', hear)
    server.on('exit', () => failed(new Error(said)))
  })
  return { said, stop: () => (server.kill(), stopped) }
}

async function shoot(browser, name, { width, height, scale = 1 }, open) {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale })
  await open(page)
  await page.evaluate(() => document.fonts.ready)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  await writeFile(join(pictures, name), Buffer.from(data, 'base64'))
  await page.close()
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || undefined })
try {
  const project = join(work, 'notes')
  await mkdir(project)
  execFileSync(plaza, ['init'], { cwd: project })
  // The picture shows the default ports, which may be in use here.
  const terminal = await start(['start'], project, {
    PLAZA_PORT: '7112',
    PLAZA_POSTGRES_PORT: '7113',
    API_EXTERNAL_URL: 'http://127.0.0.1:54321',
  })
  await terminal.stop()
  const text = `$ npx plaza-server init\n$ npx plaza-server start\n${terminal.said
    .replaceAll(work, '~')
    .replaceAll(':7112', ':54321')
    .replaceAll(':7113', ':54322')
    .replace(/(  · Applying .*\n)+/, '  · Applying …\n')
    .trimEnd()}`
    .split('\n')
    .map((line) => (line.length > 100 ? `${line.slice(0, 100)}…` : line))
    .join('\n')
  await shoot(
    browser,
    'start.webp',
    { width: 920, height: 40 + 21 * text.split('\n').length },
    (page) =>
      page.setContent(
        `<body style="margin:0;padding:20px 24px;background:#101218;color:#eef0f4;font:14px/21px 'DejaVu Sans Mono',Menlo,monospace;white-space:pre">${escape(text)}`,
      ),
  )
  const market = await start(['serve'], work, {
    PLAZA_DATA_DIR: join(work, 'data'),
    PLAZA_PORT: '7110',
    PLAZA_POSTGRES_PORT: '7111',
  })
  await shoot(browser, 'marketplace.webp', { width: 1280, height: 800 }, async (page) => {
    await page.goto('http://127.0.0.1:7110/en', { waitUntil: 'networkidle' })
  })
  await market.stop()
} finally {
  await browser.close()
  await rm(work, { recursive: true, force: true })
}
