import type { ReactNode } from 'react'
import { SearchMap } from '@/features/search/components/search-map'
import { mapMessages } from '@/features/search/map-messages'
import type { Terms } from '@/features/search/model/terms'
import { oneDecimal } from '@/lib/formats'
import { formatPrice } from '@/lib/money'
import type { Result } from './result'

type ResultsOnMapProps = {
  terms: Terms
  rows: readonly Result[]
  onChange: (change: Partial<Terms>) => void
  card: (business: Result) => ReactNode
}

/** The label of a pin: the price of the cheapest service, or else the rating. */
function textOf({ price_from, combined_rating, rating }: Result): string {
  if (price_from !== null && price_from > 0) return formatPrice(price_from)
  if (price_from === 0) return mapMessages.free
  const value = combined_rating ?? rating ?? 0
  return value > 0 ? `★ ${oneDecimal(value)}` : mapMessages.unrated
}

/** The results of a page on the map. */
export function ResultsOnMap({ terms, rows, onChange, card }: ResultsOnMapProps) {
  return (
    <SearchMap
      places={rows.map((row) => ({ ...row, text: textOf(row) }))}
      bounds={terms.bounds}
      // The visible area replaces the place that was typed.
      onArea={(bounds) => onChange({ bounds, findLoc: '', near: '', within: 0 })}
      card={(id) => {
        const row = rows.find((one) => one.id === id)
        return row && card(row)
      }}
    />
  )
}
