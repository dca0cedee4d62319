type Extras = typeof import('./extras')

let coming: Promise<Extras> | undefined

/** What follows the first view of a search, in one file; it is asked for once, and again where it did not come. */
export function extras(): Promise<Extras> {
  coming ??= import('./extras').catch((error: unknown) => {
    coming = undefined
    throw error
  })
  return coming
}
