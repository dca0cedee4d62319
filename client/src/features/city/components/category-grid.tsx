import { Link } from 'react-router'
import { TileCover } from '@/components/tile/tile-cover'
import { paths } from '@/lib/paths'
import { messages } from '../messages'
import type { CityCategory } from '../model/city-lists'

/** The categories of a city as tiles, each with its page (CITY-02). */
export function CategoryGrid({
  city,
  categories,
}: {
  city: string
  categories: readonly CityCategory[]
}) {
  return (
    <ul className="grid grid-cols-2 gap-4 sm:grid-cols-3 xl:grid-cols-4">
      {categories.map((category) => (
        <li key={category.code}>
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
              <span className="font-semibold group-hover:text-primary">{category.name}</span>
              <span className="nums text-sm text-muted">{messages.count(category.businesses)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
