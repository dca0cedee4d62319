import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { messages } from '../messages'

/** Common filters for a city's businesses; each links to the filtered results. */
export function QuickFilters({ city, today }: { city: string; today: string }) {
  const findLoc = city
  const filters = [
    { label: messages.openNow, to: paths.search({ findLoc, open: true }) },
    { label: messages.freeToday, to: paths.search({ findLoc, on: today }) },
    { label: messages.wellRated, to: paths.search({ findLoc, rating: 4.5 }) },
    { label: messages.cheapest, to: paths.search({ findLoc, sort: 'price' }) },
  ]
  return (
    <nav
      aria-label={messages.filters}
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:overflow-visible sm:p-0"
    >
      {filters.map(({ label, to }) => (
        <Link
          key={label}
          to={to}
          className="inline-flex min-h-11 shrink-0 items-center rounded-full border border-control bg-surface px-4 text-sm font-semibold whitespace-nowrap hover:bg-sunken"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
