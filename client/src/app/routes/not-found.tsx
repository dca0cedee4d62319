import { type LoaderFunctionArgs, redirect } from 'react-router'
import { TileMark } from '@/components/tile/tile-mark'
import { ButtonLink } from '@/components/ui/button'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { storedRedirect } from './redirect-step'

/** Checks whether the page has moved before it reports that there is none (ROUTE-36). */
export async function loader({ request }: LoaderFunctionArgs) {
  const target = await storedRedirect(new URL(request.url).pathname)
  return target === null ? null : redirect(target)
}

/** Shown for any unknown URL (ROUTE-20). */
export function Component() {
  usePageMeta({ title: pageTitle('Page not found') })
  return (
    <div className="page grid min-h-[64dvh] place-content-center justify-items-center gap-4 py-16 text-center">
      <div className="mb-4 grid grid-cols-2 overflow-hidden rounded-panel">
        <TileMark category="restaurants" className="size-24" />
        <TileMark category="restaurants" className="size-24" />
        <TileMark category="restaurants" className="size-24" />
        <div className="size-24 bg-sunken" aria-hidden />
      </div>
      <h1 className="text-3xl">Oops! Page not found</h1>
      <p className="max-w-[44ch] text-muted">
        There is a tile missing here. The address may be mistyped, or the page has moved.
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <ButtonLink to={paths.home}>Return to Home</ButtonLink>
        <ButtonLink variant="outline" to={paths.search()}>
          Search businesses
        </ButtonLink>
      </div>
    </div>
  )
}
