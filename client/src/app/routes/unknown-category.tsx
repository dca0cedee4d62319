import { Link } from 'react-router'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { topCategories } from '@/features/directory/model/categories'
import { wordsOf } from '@/features/search/model/terms'
import { localName } from '@/lib/local-name'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { messages } from './missing-messages'

type UnknownCategoryProps = {
  slug: string
  /** The city whose page contained the category in its URL. */
  city?: { slug: string; name: string }
}

/**
 * Shown instead of a category that does not exist: a search for its words, and the existing
 * categories.
 */
export function UnknownCategory({ slug, city }: UnknownCategoryProps) {
  usePageMeta({ title: pageTitle(messages.category) })
  const words = wordsOf(slug)
  return (
    <div className="page grid gap-8 py-10">
      <EmptyState
        as="h1"
        title={messages.category}
        text={messages.categoryText}
        action={
          <ButtonLink to={paths.search({ findDesc: words, ...(city && { findLoc: city.name }) })}>
            {messages.searchFor(words)}
          </ButtonLink>
        }
      />
      <ul className="mx-auto flex max-w-3xl flex-wrap justify-center gap-2">
        {topCategories.map(({ name, code }) => (
          <li key={code}>
            <Link
              to={city ? paths.cityCategory(city.slug, code) : paths.category(code)}
              className="inline-flex min-h-11 items-center rounded-full border border-control bg-surface px-4 text-sm font-semibold hover:bg-sunken"
            >
              {localName(name)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
