/** Returns the text in lower case without accents, for comparison. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

const maxQuery = 100
const maxSlug = 50

/** Returns the usable part of a search box's text (RULE-21). */
export function cleanQuery(text: string): string {
  return text.replace(/[<>'"&]/g, '').slice(0, maxQuery)
}

/** Converts a text to a URL segment (RULE-23). */
export function slugify(text: string): string {
  return fold(text)
    .replace(/[^a-z0-9 -]/g, '')
    .replace(/[ -]+/g, '-')
    .slice(0, maxSlug)
    .replace(/^-+|-+$/g, '')
}

const companySuffix = /\s+(sl|ltd|inc|corp|llc|gmbh|sa)$/

/** Converts a company's name to a URL segment, without its legal form (RULE-24). */
export function slugifyCompany(name: string): string {
  const plain = fold(name).replace(/[.,]/g, '')
  return slugify(plain.replace(companySuffix, ''))
}

/** Removes markup: tags, and the remains of broken ones (RULE-06). */
export function stripMarkup(text: string): string {
  let stripped = text
  for (let before = ''; before !== stripped; ) {
    before = stripped
    stripped = stripped.replace(/<[^<>]*>/g, '')
  }
  return stripped.replace(/[<>]/g, '').replace(/\s+/g, ' ').trim()
}
