import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '@/components/ui/button'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { formatMinutes, wallClock, type Zone } from '@/lib/time'
import { type City, nearbyQuery } from '../api/queries'
import { messages } from '../messages'
import type { CityCategory } from '../model/city-lists'

function Box({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3 rounded-panel border border-line bg-surface p-5">
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  )
}

/** Facts about a city (CITY-04, CITY-07). */
export function AboutCity({ city, zone, now }: { city: City; zone: Zone; now: Date }) {
  const facts = [
    [messages.country, localName(city.country)],
    ...(city.local_name === city.name ? [] : [[messages.localName, city.local_name]]),
    [messages.localTime, formatMinutes(wallClock(now, zone).minutes)],
    [messages.listed, messages.count(city.businesses)],
  ]
  return (
    <Box title={messages.about(localName(city.name))}>
      <p className="text-sm text-muted">
        {messages.aboutText(localName(city.name), localName(city.country))}
      </p>
      <dl className="nums grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm">
        {facts.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="text-end font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <ButtonLink variant="outline" to={paths.search({ findLoc: city.name })}>
        {messages.search}
      </ButtonLink>
    </Box>
  )
}

/** The nearby places with businesses, each with its distance. */
export function Nearby({ city }: { city: City }) {
  const { data: places = [] } = useQuery(nearbyQuery(city))
  if (places.length === 0) return null
  return (
    <Box title={messages.nearby}>
      <ul>
        {places.map(({ slug, name, km, businesses }) => (
          <li key={slug}>
            <Link
              to={paths.city(slug)}
              className="grid min-h-11 content-center py-1 hover:text-primary"
            >
              <span className="text-sm font-semibold">{localName(name)}</span>
              <span className="nums text-xs text-muted">
                {messages.away(km)} · {messages.count(businesses)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Box>
  )
}

/** Categories of a city as a list of links (CITY-06). */
export function CategoryLinks({
  title,
  city,
  categories,
}: {
  title: string
  city: string
  categories: readonly CityCategory[]
}) {
  if (categories.length === 0) return null
  return (
    <Box title={title}>
      <ul>
        {categories.map((category) => (
          <li key={category.code}>
            <Link
              to={paths.cityCategory(city, category.code)}
              className="flex min-h-11 items-center justify-between gap-3 text-sm font-semibold hover:text-primary"
            >
              {localName(category.name)}
              <span className="nums font-normal text-muted">{category.businesses}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Box>
  )
}

/** A few businesses as a list of links (CITY-08). */
export function BusinessLinks({
  title,
  businesses,
}: {
  title: string
  businesses: readonly { id: string; name: string; type: string }[]
}) {
  if (businesses.length === 0) return null
  return (
    <Box title={title}>
      <ul>
        {businesses.map((business) => (
          <li key={business.id}>
            <Link
              to={paths.business(business.id)}
              className="grid min-h-11 content-center py-1 hover:text-primary"
            >
              <span className="text-sm font-semibold">{business.name}</span>
              <span className="text-xs text-muted">{localName(business.type)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Box>
  )
}
