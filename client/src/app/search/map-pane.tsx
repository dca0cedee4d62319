import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '@/components/lazy-part'
import type { Terms } from '@/features/search/model/terms'
import { useMediaQuery } from '@/lib/use-media-query'
import { extras } from './load-extras'
import type { Result } from './result'

const ResultsOnMap = lazyPart(async () => (await extras()).ResultsOnMap)

type SearchBesideProps = {
  terms: Terms
  rows: readonly Result[] | undefined
  onChange: (change: Partial<Terms>) => void
  card: (business: Result) => ReactNode
}

/** The map beside the list; on phones it replaces the list on request. */
export function SearchMapPane({ terms, rows, onChange, card }: SearchBesideProps) {
  const isShown = useMediaQuery('(width >= 64rem)') || terms.view === 'map'
  return (
    <div
      className={
        terms.view === '' ? 'max-lg:hidden' : 'max-lg:h-[calc(100dvh-20.5rem)] max-lg:min-h-96'
      }
    >
      <div className="relative size-full overflow-hidden rounded-panel border border-line bg-sunken lg:sticky lg:top-32 lg:h-[calc(100dvh-9rem)]">
        <Suspense>
          {rows && isShown && (
            <ResultsOnMap terms={terms} rows={rows} onChange={onChange} card={card} />
          )}
        </Suspense>
      </div>
    </div>
  )
}
