type Extras = typeof import('./extras')

let coming: Promise<Extras> | undefined

/**
 * Loads the code needed after the first view of a search, in one file; it is requested once, and
 * again if it failed to load.
 */
export function extras(): Promise<Extras> {
  coming ??= import('./extras').catch((error: unknown) => {
    coming = undefined
    throw error
  })
  return coming
}
