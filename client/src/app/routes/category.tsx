import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from 'react-router'
import { categoriesQuery } from '@/features/directory/api/queries'
import { messages } from '@/features/search/messages'
import { findCategory, readTerms, wordsOf } from '@/features/search/model/terms'
import { paths } from '@/lib/paths'
import { SearchScreen } from './search-screen'
import { UnknownCategory } from './unknown-category'

export { loader } from './search-loader'

/** /category/{slug}: its businesses, under its own heading, with its subcategories (ROUTE-11, C-24). */
export function Component() {
  const { slug = '' } = useParams()
  const { pathname, search } = useLocation()
  const { data: categories = [], isSuccess } = useQuery(categoriesQuery)
  const category = findCategory(slug, categories)
  const heading = category?.name ?? wordsOf(slug)
  // Until the list is there, the slug itself: the server takes it, too.
  const name = categories.length === 0 ? slug : heading
  const terms = { ...readTerms(new URLSearchParams(search)), category: name }
  if (isSuccess && !category) return <UnknownCategory slug={slug} />
  const related = category?.parent ?? category?.code
  const others = categories.filter(
    (one) => one.parent !== null && one.parent === related && one.code !== category?.code,
  )
  return (
    <SearchScreen
      terms={terms}
      base={{ pathname, category: name }}
      resultsTitle={messages.list}
      heading={terms.findLoc === '' ? heading : messages.queryInLocation(heading, terms.findLoc)}
    >
      {others.length > 0 && (
        <nav aria-label={messages.related(heading)}>
          <ul className="flex flex-wrap gap-x-5 gap-y-1">
            {others.map((one) => (
              <li key={one.code}>
                <Link
                  to={paths.category(one.code)}
                  className="inline-flex min-h-11 items-center text-sm font-semibold text-primary hover:underline"
                >
                  {one.name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </SearchScreen>
  )
}
