import { type Browser, chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { freePort } from '../conformance/server.mjs'
import { bookableShopOf } from './bookable-shops'
import { expect, newPerson, once, test } from './fixtures'

// Lighthouse's audits of what a page says to search engines and of good practice. It measures no
// times here.

/** The categories' scores in percent, and the audits that failed. */
async function audit(url: string, port: number) {
  const result = await lighthouse(url, { port, onlyCategories: ['seo', 'best-practices'], output: 'json', logLevel: 'error' })
  if (!result) throw new Error(`${url} was not audited`)
  const { categories, audits, runtimeError } = result.lhr
  expect(runtimeError, url).toBeUndefined()
  const failed = Object.values(audits).filter(({ score }) => score !== null && score < 1)
  return {
    scores: Object.fromEntries(Object.values(categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)])),
    failed: failed.map(({ id, displayValue, details }) => `${id} ${displayValue ?? ''} ${JSON.stringify(details ?? '').slice(0, 300)}`),
  }
}

test('search and good practice score at least 95 on home, a city, results and a business', once, async () => {
  test.setTimeout(240_000)
  const { baseURL, launchOptions } = test.info().project.use
  const shop = await bookableShopOf(await newPerson())
  const port = await freePort()
  let browser: Browser | undefined
  try {
    browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions?.args ?? []), `--remote-debugging-port=${port}`] })
    for (const path of ['/', '/c/barcelona', '/search', '/search/barcelona', `/business/${shop.id}`]) {
      const { scores, failed } = await audit(`${baseURL}${path}`, port)
      test.info().annotations.push({ type: path, description: JSON.stringify({ scores, failed }) })
      expect(scores['best-practices'], `${path}: ${failed.join('\n')}`).toBeGreaterThanOrEqual(95)
      expect(scores.seo, `${path}: ${failed.join('\n')}`).toBeGreaterThanOrEqual(95)
    }
  } finally {
    await browser?.close()
  }
})
