/** What a search engine reads of a page. */
export type Page = {
  path: string
  status: number
  location: string
  /** Path of the canonical URL; empty if there is none. */
  canonical: string
  isIndexed: boolean
  title: string
  description: string
  headings: number
  /** The addresses of this site that it links to. */
  links: string[]
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#34': '"', '#43': '+' }
const decode = (text: string) => text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
const first = (html: string, pattern: RegExp) => decode(html.match(pattern)?.[1] ?? '')

/** Requests a page without cookies and without following redirects. */
export async function read(base: string, path: string): Promise<Page> {
  const answer = await fetch(base + path, { redirect: 'manual' })
  const html = await answer.text()
  const links = [...html.matchAll(/<a\b[^>]*\bhref=(["'])(.*?)\1/g)]
    .map(([, , to]) => new URL(decode(to ?? ''), base + path))
    .filter(({ origin }) => origin === base)
    .map(({ pathname, search }) => pathname + search)
  return {
    path,
    status: answer.status,
    location: answer.headers.get('location') ?? '',
    canonical: first(html, /<link rel="canonical" href="([^"]*)"/).replace(base, ''),
    isIndexed: answer.status === 200 && !html.includes('<meta name="robots" content="noindex'),
    title: first(html, /<title>([^<]*)</),
    description: first(html, /<meta\s+name="description"\s+content="([^"]*)"/),
    headings: html.match(/<h1[\s>]/g)?.length ?? 0,
    links: [...new Set(links)],
  }
}

/** The paths in a sitemap or in an index of sitemaps. */
export async function locations(base: string, path: string): Promise<string[]> {
  const text = await (await fetch(base + path)).text()
  return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => decode(url ?? '').replace(base, ''))
}

/** What a crawl names as the origin of the pages that it begins with. */
export const atStart = 'the start'

/** Reads pages, beginning with some, and those they link to, four at a time and each once. */
export async function crawl(base: string, start: readonly string[], most: number): Promise<Crawl> {
  const pages = new Map<string, Page>()
  const foundOn = new Map<string, string>(start.map((path) => [path, atStart]))
  const queue = [...start]
  const work = async () => {
    for (let path = queue.shift(); path !== undefined && pages.size < most; path = queue.shift()) {
      const page = await read(base, path)
      pages.set(path, page)
      for (const link of page.links) {
        if (foundOn.has(link)) continue
        foundOn.set(link, path)
        queue.push(link)
      }
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return { pages, foundOn }
}

export type Crawl = { pages: Map<string, Page>; foundOn: Map<string, string> }
