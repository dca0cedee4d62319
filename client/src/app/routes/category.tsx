import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from 'react-router'
import { categoriesQuery } from '@/features/directory/api/queries'
import { messages } from '@/features/search/messages'
import { findCategory, wordsOf } from '@/features/search/model/terms'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { pathTerms } from './path-terms'
import { SearchScreen } from './search-screen'
import { UnknownCategory } from './unknown-category'

export { loader } from './search-loader'

/** /category/{slug}: its businesses, under its own heading, with its subcategories (ROUTE-11, C-24). */
export function Component() {
  const { slug = '' } = useParams()
  const { data: categories = [], isSuccess } = useQuery(categoriesQuery)
  const search = pathTerms({ ...useLocation(), category: slug }, null, categories)
  const category = findCategory(slug, categories)
  const heading = category ? localName(category.name) : wordsOf(slug)
  if (isSuccess && !category) return <UnknownCategory slug={slug} />
  const { findLoc } = search.terms
  const related = category?.parent ?? category?.code
  const others = categories.filter(
    (one) => one.parent !== null && one.parent === related && one.code !== category?.code,
  )
  return (
    <SearchScreen
      {...search}
      resultsTitle={messages.list}
      heading={findLoc === '' ? heading : messages.queryInLocation(heading, localName(findLoc))}
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
                  {localName(one.name)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </SearchScreen>
  )
}
