import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { QueryState } from '@/components/query-state'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { type City, cityQuery } from '@/features/city/api/queries'
import { messages } from '@/features/city/messages'
import { findPlace, popularCities } from '@/features/location/model/cities'
import { localName } from '@/lib/local-name'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { slugify } from '@/lib/text'
import { useStoredRedirect } from './redirect-step'

export const cityGrid =
  'page grid items-start gap-x-12 gap-y-10 pt-6 pb-16 *:min-w-0 lg:grid-cols-[minmax(0,1fr)_20rem]'

/** The states that all pages of a city share: loading, failed, unknown, known by another name. */
export function CityFrame({
  slug,
  children,
}: {
  slug: string
  children: (city: City) => ReactNode
}) {
  const { pathname } = useLocation()
  const query = useQuery(cityQuery(slug))
  const redirected = useStoredRedirect(pathname)
  if (redirected !== null) return <Navigate to={redirected} replace />
  // '/c/sevilla' is Seville, whose address is '/c/seville'.
  const known = findPlace(slug)
  const proper = known && slugify(known.name)
  if (query.data === null && proper !== undefined && proper !== slug) {
    return <Navigate to={pathname.replace(`/c/${slug}`, paths.city(proper))} replace />
  }
  return (
    <QueryState
      query={query}
      errorTitle={messages.error}
      pending={<CitySkeleton />}
      isEmpty={(city) => city === null}
      empty={<UnknownCity />}
    >
      {(city) => city && children(city)}
    </QueryState>
  )
}

function CitySkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className={cityGrid}>
      <div className="grid gap-6">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-10 w-96 max-w-full" />
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3 xl:grid-cols-4">
          {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
            <Skeleton key={key} className="aspect-4/3 rounded-card" />
          ))}
        </div>
      </div>
      <Skeleton className="h-80 rounded-panel" />
    </SkeletonGroup>
  )
}

function UnknownCity() {
  usePageMeta({ title: pageTitle(messages.missing) })
  return (
    <div className="page py-10">
      <EmptyState
        as="h1"
        title={messages.missing}
        text={messages.missingText}
        action={popularCities.map((city) => (
          <Link
            key={city.name}
            to={paths.city(slugify(city.name))}
            className="inline-flex min-h-11 items-center rounded-full border border-control bg-surface px-4 text-sm font-semibold hover:bg-sunken"
          >
            {localName(city.name)}
          </Link>
        ))}
      />
    </div>
  )
}
