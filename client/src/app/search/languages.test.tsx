import { screen } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import '@/texts/es'
import { Component as CityPage } from '@/app/routes/city'
import { businessKeys } from '@/features/businesses/api/keys'
import { cityKeys } from '@/features/city/api/keys'
import { FilterBar } from '@/features/search/components/filter-bar'
import { SearchEmpty } from '@/features/search/components/search-empty'
import type { MapPlace } from '@/features/search/model/map-places'
import { noTerms } from '@/features/search/model/terms'
import { renderApp } from '@/testing/render'
import { ResultsOnMap } from './on-map'
import type { Result } from './result'

// The language of a page is read once, when the client starts.
vi.hoisted(() => window.history.replaceState(null, '', '/es/search'))
// The map itself needs a graphics card.
vi.mock('@/features/search/components/search-map', () => ({
  SearchMap: ({ places }: { places: readonly MapPlace[] }) => places.map(({ text }) => text),
}))

beforeEach(() => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

it('places to go on with have their Spanish names, and their stored ones in links', () => {
  const props = {
    terms: { ...noTerms, findDesc: 'masaje', findLoc: 'Girona' },
    categories: [],
    hrefOf: ({ findLoc }: { findLoc: string }) => `/search?find_loc=${findLoc}`,
    onSignIn: () => undefined,
  }
  const place = {
    kind: 'place',
    target: 'seville',
    name: 'Seville',
    businesses: 3,
    distance_km: 1.5,
  }
  const first = renderApp(<SearchEmpty {...props} alternatives={[place]} locations={[]} />)
  const link = screen.getByRole('link', { name: /^Sevilla/ })
  expect(link.textContent).toBe('Sevilla3 negocios · a 1,5 km')
  expect(link.getAttribute('href')).toBe('/search?find_loc=Seville')
  first.unmount()
  renderApp(<SearchEmpty {...props} alternatives={[]} locations={['Malaga']} />)
  expect(screen.getByRole('link', { name: 'Málaga' }).getAttribute('href')).toBe(
    '/search?find_loc=Malaga',
  )
})

it('the number of filters is read out in Spanish', () => {
  const bar = { onChange: () => undefined, others: null, sheet: () => null }
  const first = renderApp(<FilterBar {...bar} terms={{ ...noTerms, open: true }} />)
  expect(screen.getByRole('button', { name: 'Filtros 1 activo' })).toBeTruthy()
  first.unmount()
  renderApp(<FilterBar {...bar} terms={{ ...noTerms, open: true, within: 5 }} />)
  expect(screen.getByRole('button', { name: 'Filtros 2 activos' })).toBeTruthy()
})

it('a rating on the map has a decimal comma', () => {
  const rows = [{ price_from: null, combined_rating: 4.5 } as Result]
  renderApp(
    <ResultsOnMap terms={noTerms} rows={rows} onChange={() => undefined} card={() => null} />,
  )
  expect(screen.getByText('★ 4,5')).toBeTruthy()
})

it('the link to all businesses of a city has its Spanish name', async () => {
  const city = { slug: 'seville', name: 'Seville', local_name: 'Sevilla', country: 'Spain' }
  renderApp(
    <Routes>
      <Route path="/c/:city" element={<CityPage />} />
    </Routes>,
    {
      at: '/c/seville',
      data: [
        [cityKeys.one('seville'), { ...city, time_zone: 'Europe/Madrid', businesses: 40 }],
        [businessKeys.recent('Seville', 6), { rows: [], total: 40 }],
      ],
    },
  )
  const all = await screen.findByRole('link', { name: 'Todos los negocios en Sevilla' })
  expect(all.getAttribute('href')).toBe('/search?find_loc=Seville')
})
