import { Breadcrumb } from '@/components/ui/breadcrumb'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { messages } from '../messages'
import { type CategoryChoice, CategorySelect } from './category-select'

type SearchCrumbsProps = {
  findLoc: string
  categories: readonly CategoryChoice[]
  categoryCode: string
  onCategory: (code: string) => void
}

/** The breadcrumb: home, the place as a link, and the category selector (SEARCH-01, SEARCH-02). */
export function SearchCrumbs({ findLoc, categories, categoryCode, onCategory }: SearchCrumbsProps) {
  return (
    <Breadcrumb
      crumbs={[
        { key: 'home', label: messages.home, to: paths.home },
        findLoc === ''
          ? { key: 'place', label: messages.everywhere, to: paths.search() }
          : { key: 'place', label: localName(findLoc), to: paths.search({ findLoc }) },
        {
          key: 'category',
          label: (
            <CategorySelect
              label={messages.category}
              className="max-w-60 max-sm:w-40"
              categories={categories}
              value={categoryCode}
              onChange={onCategory}
            />
          ),
        },
      ]}
    />
  )
}
