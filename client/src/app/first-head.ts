import type { router } from './router'

// What the server writes into the head for the page that was opened (server/site/meta.go).
const ofThePage =
  'link[rel="canonical"], meta[property="og:url"], meta[name="robots"], script[type="application/ld+json"]'

/** Removes what the head says of the page that was opened, once another one is shown. */
export function dropFirstHead({ state, subscribe }: Pick<typeof router, 'state' | 'subscribe'>) {
  const { pathname } = state.location
  const stop = subscribe(({ location }) => {
    if (location.pathname === pathname) return
    stop()
    for (const tag of document.head.querySelectorAll(ofThePage)) tag.remove()
  })
}
