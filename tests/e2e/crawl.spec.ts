import { atStart, type Crawl, crawl, locations, type Page, read } from './crawler'
import { expect, once, test } from './fixtures'

// What a crawler without scripts finds, from home and the sitemaps on.

const mostPages = 5000

/** What is wrong with a page and the link that led to it; undefined if nothing is. */
function problemOf({ pages, foundOn }: Crawl, page: Page): string | undefined {
  const { path, status, location, isIndexed, canonical } = page
  const by = `${path} (on ${foundOn.get(path)})`
  if (location !== '') return `${by} is moved to ${location}`
  if (status !== 200) return `${by} answers ${status}`
  if (!isIndexed) return undefined
  if (page.title === '' || page.description === '') return `${by} has no title or description`
  if (page.headings !== 1) return `${by} has ${page.headings} h1`
  if (canonical === '') return `${by} has no canonical URL`
  const target = pages.get(canonical)
  if (target && target.canonical !== canonical) return `${by} names ${canonical}, which names ${target.canonical}`
  return undefined
}

/**
 * Pages that are their own canonical ones, but tell search engines the same as another in their language.
 * Businesses may have the same name.
 */
function duplicates({ pages }: Crawl): string[] {
  const seen = new Map<string, string>()
  return [...pages.values()].flatMap(({ path, canonical, isIndexed, title, description }) => {
    const language = path.match(/^\/(?:es|ca)(?=\/|$)/)?.[0] ?? ''
    if (!isIndexed || canonical !== path || path.startsWith(`${language}/business/`)) return []
    const key = language + title + description
    const same = seen.get(key)
    seen.set(key, path)
    return same === undefined ? [] : [`${path} and ${same}: ${title}`]
  })
}

const byCanonical = 'a canonical link'

/** The paths that the sitemaps list now. */
async function listedPaths(base: string): Promise<string[]> {
  const files = await locations(base, '/sitemap.xml')
  return (await Promise.all(files.map((file) => locations(base, file)))).flat()
}

/**
 * Reads pages again. Others write meanwhile: what a page or a sitemap linked to may be gone with the
 * link. And a page whose data arrives too late is sent without.
 */
async function readAgain(base: string, { pages, foundOn }: Crawl, paths: readonly string[]) {
  const listed = new Set(['/', ...(paths.length > 0 ? await listedPaths(base) : [])])
  const isLinked = async (path: string) => {
    const from = foundOn.get(path) ?? ''
    if (from === atStart) return listed.has(path)
    return from === byCanonical || (pages.has(from) && (await read(base, from)).links.includes(path))
  }
  for (const path of paths) {
    if (await isLinked(path)) pages.set(path, await read(base, path))
    else pages.delete(path)
  }
}

test('a crawl finds no dead link, no redirect, no page without a head, and no duplicates', once, async () => {
  const baseURL = test.info().project.use.baseURL ?? ''
  test.setTimeout(600_000)
  const listed = await listedPaths(baseURL)
  const found = await crawl(baseURL, ['/', ...listed.filter((path) => path !== '/')], mostPages)
  expect(found.pages.size).toBeGreaterThan(Math.min(mostPages, listed.length) - 1)

  const problems = () => [...found.pages.values()].filter((page) => problemOf(found, page) !== undefined)
  const expectNone = () =>
    expect(async () => {
      await readAgain(baseURL, found, problems().map(({ path }) => path))
      expect(problems().map((page) => problemOf(found, page))).toEqual([])
    }).toPass()
  await expectNone()

  // The canonical page of each page exists, also where no link leads to it.
  const named = [...found.pages.values()].filter(({ isIndexed }) => isIndexed).map(({ canonical }) => canonical)
  for (const canonical of new Set(named)) {
    if (found.pages.has(canonical)) continue
    found.foundOn.set(canonical, byCanonical)
    found.pages.set(canonical, await read(baseURL, canonical))
  }
  await expectNone()
  expect(duplicates(found)).toEqual([])
})
