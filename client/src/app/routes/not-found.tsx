import { type LoaderFunctionArgs, redirect } from 'react-router'
import { TileMark } from '@/components/tile/tile-mark'
import { ButtonLink } from '@/components/ui/button'
import { withoutLanguage } from '@/lib/language'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { messages } from './missing-messages'
import { storedRedirect } from './redirect-step'

/** Checks whether the page has moved before it reports that there is none (ROUTE-36). */
export async function loader({ request }: LoaderFunctionArgs) {
  const target = await storedRedirect(withoutLanguage(new URL(request.url).pathname))
  return target === null ? null : redirect(target)
}

/** Shown for any unknown URL (ROUTE-20). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  return (
    <div className="page grid min-h-[64dvh] place-content-center justify-items-center gap-4 py-16 text-center">
      <div className="mb-4 grid grid-cols-2 overflow-hidden rounded-panel">
        <TileMark category="restaurants" className="size-24" />
        <TileMark category="restaurants" className="size-24" />
        <TileMark category="restaurants" className="size-24" />
        <div className="size-24 bg-sunken" aria-hidden />
      </div>
      <h1 className="text-3xl">{messages.heading}</h1>
      <p className="max-w-[44ch] text-muted">{messages.text}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <ButtonLink to={paths.home}>{messages.toHome}</ButtonLink>
        <ButtonLink variant="outline" to={paths.search()}>
          {messages.search}
        </ButtonLink>
      </div>
    </div>
  )
}
