import { Link } from 'react-router'
import { TileCover } from '@/components/tile/tile-cover'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { messages } from '../messages'
import type { CityCategory } from '../model/city-lists'

const categoryGrid =
  '-mx-4 flex gap-3 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:grid sm:grid-cols-4 sm:gap-4 sm:overflow-visible sm:p-0 xl:grid-cols-5'

/**
 * The categories of a city as tiles that link to their pages (CITY-02): a strip on phones, a grid
 * elsewhere.
 */
export function CategoryGrid({
  city,
  categories,
}: {
  city: string
  categories: readonly CityCategory[]
}) {
  return (
    <ul className={categoryGrid}>
      {categories.map((category) => (
        <li key={category.code} className="max-sm:w-32 max-sm:shrink-0">
          <Link
            to={paths.cityCategory(city, category.code)}
            className="group grid gap-2 rounded-card"
          >
            <span className="block overflow-hidden rounded-card">
              <TileCover
                category={category.code}
                className="aspect-5/3 transition-transform duration-200 group-hover:scale-[1.03]"
              />
            </span>
            <span className="grid">
              <span className="font-semibold group-hover:text-primary">
                {localName(category.name)}
              </span>
              <span className="nums text-sm text-muted">{messages.count(category.businesses)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
