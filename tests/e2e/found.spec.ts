import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Validator from '@adobe/structured-data-validator'
import WebAutoExtractor from '@marbec/web-auto-extractor'
import type { APIRequestContext } from '@playwright/test'
import { service } from './accounts'
import { expect, newPerson, once, test, whole } from './fixtures'
import { bookableShopOf } from './bookable-shops'
import { addPhotos } from './owners'

// What search engines get: pages without scripts, their status, canonical URLs, structured data.

type Data = { '@type': string } & Record<string, unknown>

/** The content of a tag's attribute in a page. */
const attribute = (html: string, pattern: RegExp) => html.match(pattern)?.[1] ?? ''
const canonicalOf = (html: string) => attribute(html, /<link rel="canonical" href="([^"]*)"/)
const dataOf = (html: string): Data[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, text]) => JSON.parse(text ?? ''))

/** Reports what a search engine would not accept. */
async function issuesOf(html: string): Promise<string[]> {
  const parsed = new WebAutoExtractor({ addLocation: true, embedSource: ['rdfa', 'microdata'] }).parse(html)
  const issues = await new Validator().validate(parsed)
  return issues.filter(({ severity }) => severity === 'ERROR').map(({ issueMessage }) => issueMessage)
}

/** Reports what is no part of the vocabulary of schema.org, by compiling the data with its types. */
async function compile(data: readonly Data[]): Promise<string> {
  const folder = await mkdtemp(fileURLToPath(new URL('../node_modules/.schema-', import.meta.url)))
  try {
    const constants = data.map((one, index) => `export const one${index}: WithContext<Thing> = ${JSON.stringify(one)}`)
    await writeFile(`${folder}/page.ts`, ["import type { Thing, WithContext } from 'schema-dts'", ...constants].join('\n'))
    const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))
    await promisify(execFile)(compiler, ['--noEmit', '--strict', '--module', 'nodenext', '--ignoreConfig', `${folder}/page.ts`])
    return ''
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function get(request: APIRequestContext, path: string) {
  const answer = await request.get(path, { maxRedirects: 0 })
  return { status: answer.status(), location: answer.headers().location ?? '', html: await answer.text() }
}

/** The text of a page's first view, without its tags. */
const textOf = (html: string) =>
  attribute(html, /<main[^>]*>(.*)<\/main>/s)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

test('ten public pages have their content, title, canonical URL and valid structured data without scripts', once, async ({ request, baseURL }) => {
  const shop = await bookableShopOf(await newPerson())
  await addPhotos(shop, 2)
  const { data: stored } = await service().from('businesses').select('slug, name').eq('id', shop.id).single()
  const own = `/business/${stored?.slug}`
  const pages: [path: string, canonical: string, content: string | RegExp, types: string[]][] = [
    ['/', '/', 'Descubre los mejores servicios', ['WebSite', 'Organization']],
    [`/business/${shop.id}`, own, stored?.name ?? '', ['LocalBusiness', 'BreadcrumbList']],
    [`/biz/${stored?.slug}`, own, 'Services', ['LocalBusiness', 'BreadcrumbList']],
    ['/search', '/search', 'Showing', ['ItemList']],
    ['/search?find_loc=Barcelona', '/search/barcelona', 'Businesses in Barcelona', ['ItemList']],
    ['/search/bcn?page=2', '/search/barcelona?page=2', 'Page 2 of', ['ItemList']],
    ['/search?find_loc=Barcelona&category=Restaurants', '/search/barcelona/restaurants', 'Restaurants', ['ItemList']],
    ['/category/beauty-spas', '/category/beautysvc', 'Beauty', ['ItemList']],
    ['/c/barcelona', '/c/barcelona', 'Top rated in Barcelona', ['BreadcrumbList', 'ItemList']],
    ['/c/barcelona/beautysvc', '/c/barcelona/beautysvc', 'in Barcelona', ['BreadcrumbList', 'ItemList']],
  ]
  const data: Data[] = []
  for (const [path, canonical, content, types] of pages) {
    const html = await whole(request, path)
    expect(html.match(/rel="canonical"/g), path).toHaveLength(1)
    expect(canonicalOf(html), path).toBe(`${baseURL}${canonical}`)
    expect(textOf(html), path).toContain(content)
    expect(dataOf(html).map((one) => one['@type']), path).toEqual(types)
    expect(await issuesOf(html), path).toEqual([])
    data.push(...dataOf(html))
    // Home keeps the text of the client's page; every other one has its own.
    const description = attribute(html, /<meta\s+name="description"\s+content="([^"]*)"/)
    expect(description.startsWith('Descubre los mejores servicios'), path).toBe(path === '/')
    expect(description, path).not.toBe('')
  }
  expect(await compile(data)).toBe('')
})

test('titles name what is searched, the place and the category, on the server as in the client', once, async ({ request, page }) => {
  const titles: [path: string, title: string][] = [
    ['/search', 'Search Results'],
    ['/search/barcelona', 'Businesses in Barcelona'],
    ['/search?category=Restaurants', 'Restaurants'],
    ['/search/barcelona/restaurants', 'Restaurants in Barcelona'],
    ['/search?find_loc=Barcelona&category=beautysvc', 'Beauty & Spas in Barcelona'],
    ['/search?find_desc=restaurante&find_loc=Barcelona&category=Restaurants', 'restaurante in Barcelona · Restaurants'],
    // Without results.
    ['/search?find_desc=pizza&find_loc=Barcelona', 'pizza in Barcelona'],
    ['/search?find_desc=pizza&find_loc=Barcelona&category=Restaurants', 'pizza in Barcelona · Restaurants'],
    ['/search?find_desc=pizza&category=Restaurants', 'Search results for "pizza" · Restaurants'],
    ['/category/beautysvc', 'Beauty & Spas'],
    ['/category/beautysvc?find_loc=Barcelona', 'Beauty & Spas in Barcelona'],
    ['/c/barcelona', 'Businesses in Barcelona'],
    ['/c/barcelona/beautysvc', 'Beauty & Spas in Barcelona'],
  ]
  for (const [path, title] of titles) {
    await expect(async () => {
      const html = await (await request.get(path)).text()
      const served = attribute(html, /<title>([^<]*)<\/title>/).replaceAll('&amp;', '&').replaceAll('&#34;', '"')
      expect(served, path).toBe(`${title} · Plaza`)
    }).toPass()
    await page.goto(path)
    await expect(page, path).toHaveTitle(`${title} · Plaza`)
    await expect(page.locator('meta[property="og:title"]'), path).toHaveAttribute('content', `${title} · Plaza`)
  }
})

test('a business says its hours, rating, address and offers to search engines', once, async ({ request }) => {
  const shop = await bookableShopOf(await newPerson())
  const structured = { monday: { isOpen: true, open: '09:30', close: '19:00' }, sunday: { isOpen: false } }
  const changed = await service()
    .from('businesses')
    .update({ hours: { structured }, address: 'Carrer Major 1', phone: '+376 800 100', description: 'Pa </script> de pagès', latitude: 42.5, longitude: 1.5 })
    .eq('id', shop.id)
  expect(changed.error).toBeNull()
  const { data: services } = await service().from('services').select('name, price').eq('business_id', shop.id).order('name')
  const [business] = dataOf(await whole(request, `/business/${shop.id}`))
  expect(business).toMatchObject({
    '@type': 'LocalBusiness',
    telephone: '+376 800 100',
    description: 'Pa </script> de pagès',
    address: { '@type': 'PostalAddress', streetAddress: 'Carrer Major 1' },
    geo: { latitude: 42.5, longitude: 1.5 },
    openingHoursSpecification: [{ dayOfWeek: 'https://schema.org/Monday', opens: '09:30', closes: '19:00' }],
    makesOffer: services?.map(({ name, price }) => ({
      '@type': 'Offer',
      price: Number(price).toFixed(2),
      itemOffered: { '@type': 'Service', name },
    })),
  })
  expect(business).not.toHaveProperty('aggregateRating')
  const rated = await service().from('businesses').select('id, combined_rating, user_ratings_total').gt('user_ratings_total', 2).limit(1).single()
  const [known] = dataOf(await whole(request, `/business/${rated.data?.id}`))
  expect(known).toMatchObject({ aggregateRating: { reviewCount: rated.data?.user_ratings_total } })
})

test('ROUTE-20 ROUTE-36 C-28: pages that do not exist answer 404, moved ones 301 without a chain', once, async ({ request }) => {
  const word = `moved-${crypto.randomUUID()}`
  const inserted = await service()
    .from('url_redirects')
    .insert([
      { old_url: `/${word}`, new_url: `/${word}/next` },
      { old_url: `/${word}/next`, new_url: '/about' },
    ])
  expect(inserted.error).toBeNull()
  for (const [path, status, target] of [
    [`/${word}`, 301, '/about'],
    [`/${word}?utm=1`, 301, '/about?utm=1'],
    ['/about/', 301, '/about'],
    ['/c/sevilla', 301, '/c/seville'],
    [`/${word}/nothing`, 404, ''],
    ['/c/no-such-city', 404, ''],
    ['/category/no-such-category', 404, ''],
    ['/business/no-such-business', 404, ''],
    ['/no-such-file.png', 404, ''],
    ['/assets/none.js', 404, ''],
  ] as const) {
    // A page whose data does not arrive within a second is sent without it, and the client asks again.
    await expect(async () => {
      const answer = await get(request, path)
      expect([answer.status, answer.location], path).toEqual([status, target])
    }).toPass()
  }
  const file = await get(request, '/no-such-file.png')
  expect(file.html).not.toContain('<html')
  for (const path of [`/${word}/nothing`, '/dashboard', '/admin', '/search?find_desc=pan', '/search?open=1']) {
    const { html } = await get(request, path)
    expect(html, path).toContain('<meta name="robots" content="noindex, follow">')
    expect(canonicalOf(html), path).toBe('')
  }
})

test('robots.txt leads to the sitemaps, and these to pages that are their own canonical ones', once, async ({ request, baseURL }) => {
  const locations = async (path: string) =>
    [...(await get(request, path)).html.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => (url ?? '').replace(baseURL ?? '', ''))
  const robots = await get(request, '/robots.txt')
  expect(robots.html).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  expect(robots.html).toContain('Disallow: /admin')
  const files = await locations('/sitemap.xml')
  expect(files).toEqual(['/sitemaps/pages.xml', '/sitemaps/businesses-1.xml'])
  const pages = await locations('/sitemaps/pages.xml')
  const stored = async () => {
    const { count } = await service().from('businesses').select('*', { count: 'exact', head: true })
    return count ?? 0
  }
  // Others write meanwhile, and some of them many at once.
  const before = await stored()
  const businesses = await locations('/sitemaps/businesses-1.xml')
  const after = await stored()
  expect(businesses.length).toBeGreaterThan(Math.min(before, after) - 20)
  expect(businesses.length).toBeLessThan(Math.max(before, after) + 20)
  expect(new Set([...pages, ...businesses]).size).toBe(pages.length + businesses.length)
  for (const path of [...pages.filter((_, index) => index % 25 === 0), ...businesses.slice(0, 10)]) {
    // A page whose data does not arrive in time is sent without it, and another test may remove a business.
    await expect(async () => {
      const { status, html } = await get(request, path)
      if (status !== 200 && businesses.includes(path)) return expect(await locations('/sitemaps/businesses-1.xml')).not.toContain(path)
      expect(status, path).toBe(200)
      expect(canonicalOf(html), path).toBe(`${baseURL}${path}`)
    }).toPass()
  }
})

test('a page is kept, and dropped when its owner renames the business', once, async ({ request }) => {
  const owner = await newPerson()
  const shop = await bookableShopOf(owner)
  const path = `/business/${shop.id}`
  expect(textOf(await whole(request, path))).toContain(shop.name)
  for (const name of ['Forn del Barri', 'Forn de la Plaça']) {
    const renamed = await owner.client.from('businesses').update({ name }).eq('id', shop.id)
    expect(renamed.error).toBeNull()
    // The notification takes some milliseconds; without it the page would stay for up to a minute.
    await expect.poll(async () => textOf((await get(request, path)).html), { timeout: 20_000, intervals: [50] }).toContain(name)
  }
  const visited = await request.get(path, { headers: { Cookie: 'sb=1', Authorization: `Bearer ${owner.session.access_token}` } })
  expect(await visited.text(), 'what visitors see, also with a session').toBe((await get(request, path)).html)
})

test('the head of the page that was opened is not kept on another one', once, async ({ page }) => {
  await page.goto('/c/barcelona')
  await expect(page.locator('link[rel="canonical"]')).toHaveCount(1)
  // A link of the first view would load the other page whole, with a head of its own.
  await expect(page.locator('#first-view')).toHaveCount(0)
  await page.getByRole('link', { name: 'About', exact: true }).first().click()
  await expect(page).toHaveURL('/about')
  await expect(page.locator('link[rel="canonical"], script[type="application/ld+json"]')).toHaveCount(0)
})
