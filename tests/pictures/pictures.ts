import { readFile, writeFile } from 'node:fs/promises'
import { type Browser, type Page, test } from '@playwright/test'
import { disableIncludedData } from '../e2e/fixtures'
import type { Cast } from './cast'
import { layoutFaults } from './layout-faults'
import { type Screen, screens } from './screens'

const folder = 'pictures/results'
const widths = [390, 768, 1440] as const
const themes = ['light', 'dark'] as const
const heights = { 390: 844, 768: 1024, 1440: 900 } as const
// Long lists are cut; their beginning is sufficient.
const maxHeight = 5000

const cast: Cast = JSON.parse(process.env.PICTURES_CAST ?? '{}')

async function open(page: Page, { path, as, fails, act, isFold }: Screen): Promise<void> {
  if (as !== undefined) {
    await page.addInitScript((session) => {
      localStorage.setItem('plaza.auth', session)
    }, JSON.stringify(cast.sessions[as]))
  }
  if (fails !== undefined) {
    await disableIncludedData(page)
    await page.route(fails, (route) => route.abort())
  }
  await page.goto(typeof path === 'string' ? path : path(cast))
  await settle(page)
  await act?.(page)
  if (isFold && act) await shown(page, 'dialog[open], [role=menu]')
  if (fails !== undefined) await shown(page, '[role=alert]')
}

function shown(page: Page, selector: string): Promise<void> {
  return page.locator(selector).filter({ visible: true }).first().waitFor({ timeout: 20_000 })
}

/** Waits until nothing loads, including what loads on scrolling. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.waitForLoadState('networkidle')
  await page.evaluate(async () => {
    window.scrollTo(0, 0)
    await document.fonts.ready
  })
}

async function shoot(page: Page, { name, isFold }: Screen): Promise<string[]> {
  const files: string[] = []
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    for (const width of widths) {
      await page.setViewportSize({ width, height: heights[width] })
      await settle(page)
      const file = `${folder}/${name}-${width}-${theme}.png`
      const whole = await page.evaluate(() => document.documentElement.scrollHeight)
      // A window as high as the page, so that bars at its bottom are at the bottom of the picture.
      if (!isFold) await page.setViewportSize({ width, height: Math.min(whole, maxHeight) })
      await page.screenshot({ path: file, animations: 'disabled' })
      files.push(file)
      if (theme === 'dark') continue
      for (const line of await layoutFaults(page)) console.log(`${name} ${width}: ${line}`)
    }
  }
  return files
}

/** Combines the pictures of a screen side by side. */
async function composeSheet(browser: Browser, name: string, files: string[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 2400, height: 900 } })
  const pictures = await Promise.all(files.map((file) => readFile(file, 'base64')))
  const total = themes.length * widths.reduce((sum, width) => sum + width, 0)
  const scale = (2400 - 24 * files.length) / total
  const images = pictures.map((data, index) => {
    const width = (widths[index % widths.length] ?? 0) * scale
    return `<img src="data:image/png;base64,${data}" width="${width}">`
  })
  await page.setContent(
    `<body style="margin:0;padding:12px;display:flex;gap:24px;align-items:start;background:#888">${images.join('')}`,
  )
  await writeFile(`${folder}/sheet-${name}.png`, await page.screenshot({ fullPage: true }))
  await page.close()
}

for (const screen of screens) {
  test(screen.name, async ({ page, browser }) => {
    await open(page, screen)
    await composeSheet(browser, screen.name, await shoot(page, screen))
  })
}
