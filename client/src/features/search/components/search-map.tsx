import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { MapFrame } from '@/components/map/map-frame'
import { Button } from '@/components/ui/button'
import { useMediaQuery } from '@/lib/use-media-query'
import { mapMessages } from '../map-messages'
import { hasPlace, type MapPlace, readBounds } from '../model/map-places'

// It imports the map library.
const ResultsMap = lazyPart(async () => (await import('./results-map')).ResultsMap)

type SearchMapProps = {
  places: readonly MapPlace[]
  /** The searched part of the map; '' for none. */
  bounds: string
  onArea: (bounds: string) => void
  /** Renders the card of a result. */
  card: (id: string) => ReactNode
}

/**
 * The map next to the list, or instead of it. Both are synchronized: the result that is hovered or
 * focused in the list is highlighted here, and a pressed pin is shown in the list, or on the map if
 * there is no list.
 */
export function SearchMap({ places, bounds, onArea, card }: SearchMapProps) {
  const isBeside = useMediaQuery('(width >= 64rem)')
  const looked = useLookedAt()
  const [picked, setPicked] = useState<string | null>(null)
  const placed = places.filter(hasPlace)
  const isPicked = placed.some(({ id }) => id === picked)
  const pick = (id: string) => {
    setPicked(id)
    if (isBeside) showInList(id)
  }
  return (
    <>
      <MapFrame className="size-full">
        <ResultsMap
          places={placed}
          bounds={readBounds(bounds)}
          active={looked ?? picked}
          onPick={pick}
          onArea={onArea}
        />
      </MapFrame>
      {placed.length < places.length && (
        <p className="pointer-events-none absolute inset-x-3 bottom-12 mx-auto w-fit max-lg:bottom-22 rounded-control bg-surface px-3 py-1.5 text-center text-sm text-muted">
          {placed.length === 0
            ? mapMessages.none
            : mapMessages.missing(places.length - placed.length)}
        </p>
      )}
      {!isBeside && picked !== null && isPicked && (
        <div className="absolute inset-x-3 bottom-18 z-10 rounded-card bg-surface p-3 shadow-float">
          {card(picked)}
          <div className="absolute end-0 top-0">
            <Button variant="quiet" size="icon" onClick={() => setPicked(null)}>
              <X className="size-5" strokeWidth={1.75} aria-hidden />
              <span className="sr-only">{mapMessages.close}</span>
            </Button>
          </div>
        </div>
      )}
    </>
  )
}

/** Returns the result of the list that is hovered or focused; null for none. */
function useLookedAt(): string | null {
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    const follow = ({ target }: Event) => {
      if (!(target instanceof Element)) return
      setId(target.closest<HTMLElement>('[data-result]')?.dataset.result ?? null)
    }
    // Not pointerover: a list that scrolls under a resting pointer does not count.
    const events = ['pointermove', 'focusin'] as const
    for (const name of events) document.addEventListener(name, follow)
    return () => {
      for (const name of events) document.removeEventListener(name, follow)
    }
  }, [])
  return id
}

/** Scrolls a result of the list into view, highlights and focuses it. */
function showInList(id: string): void {
  for (const item of document.querySelectorAll<HTMLElement>('[data-result]')) {
    const isIt = item.dataset.result === id
    item.toggleAttribute('data-picked', isIt)
    if (!isIt) continue
    item.scrollIntoView({ block: 'nearest' })
    item.querySelector('a')?.focus({ preventScroll: true })
  }
}
