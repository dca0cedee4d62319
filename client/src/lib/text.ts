/** Lower case without accents: the form in which words are compared. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

const maxQuery = 100
const maxSlug = 50

/** What a person typed into a search box, as it may be used (RULE-21). */
export function cleanQuery(text: string): string {
  return text.replace(/[<>'"&]/g, '').slice(0, maxQuery)
}

/** A text as a part of an address (RULE-23). */
export function slugify(text: string): string {
  return fold(text)
    .replace(/[^a-z0-9 -]/g, '')
    .replace(/[ -]+/g, '-')
    .slice(0, maxSlug)
    .replace(/^-+|-+$/g, '')
}

const companySuffix = /\s+(sl|ltd|inc|corp|llc|gmbh|sa)$/

/** A company's name as a part of an address: its legal form is dropped first (RULE-24). */
export function slugifyCompany(name: string): string {
  const plain = fold(name).replace(/[.,]/g, '')
  return slugify(plain.replace(companySuffix, ''))
}

/** A text without markup: tags go, whatever is left of a broken one goes too (RULE-06). */
export function stripMarkup(text: string): string {
  let stripped = text
  for (let before = ''; before !== stripped; ) {
    before = stripped
    stripped = stripped.replace(/<[^<>]*>/g, '')
  }
  return stripped.replace(/[<>]/g, '').replace(/\s+/g, ' ').trim()
}
