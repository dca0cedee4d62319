import { type ReactNode, useEffect, useState } from 'react'
import { everywhere } from '@/components/map/geo'
import { useMap } from '@/components/map/map-context'
import { PlaceMap } from '@/components/map/place-map'
import { Button } from '@/components/ui/button'
import { mapMessages } from '../map-messages'
import { type Bounds, boundsOf, type MapPlace } from '../model/map-places'
import { pointsOf } from '../model/read-filters'
import { MapPins } from './map-pins'

export type ResultsMapProps = {
  places: readonly MapPlace[]
  /** The part of the map that is searched, if any. */
  bounds: Bounds | null
  /** The result that is hovered or focused in the list, or pressed on the map. */
  active: string | null
  onPick: (id: string) => void
  /** Searches in a part of the map: 'south,west,north,east'. */
  onArea: (bounds: string) => void
}

/** All results of a page on a map that follows them. */
export function ResultsMap({ places, bounds, active, onPick, onArea }: ResultsMapProps) {
  // The initial view; `FitBounds` moves the map afterwards.
  const [look] = useState(() => lookOn(bounds ?? boundsOf(places)))
  return (
    <PlaceMap name={mapMessages.map} look={look} isFree>
      <FitBounds places={places} bounds={bounds} />
      <MapPins places={places} active={active} onPick={onPick} />
      <AreaButton key={`${bounds} ${places.map(({ id }) => id)}`} onArea={onArea} />
    </PlaceMap>
  )
}

/** Approximates what `FitBounds` will show, so that no other area is loaded first. */
function lookOn(bounds: Bounds | null) {
  if (!bounds) return everywhere
  const [south, west, north, east] = bounds
  const degrees = Math.max(north - south, east - west, 0.01)
  return {
    latitude: (south + north) / 2,
    longitude: (west + east) / 2,
    zoom: Math.max(3, Math.min(nearest, Math.log2(360 / degrees))),
  }
}

/** The maximum automatic zoom. */
const nearest = 14
const padding = 64

/** Fits the map to all results, or to the searched area. */
function FitBounds({ places, bounds }: Pick<ResultsMapProps, 'places' | 'bounds'>) {
  const map = useMap()
  const wanted = bounds ?? boundsOf(places)
  const [isFirst, setFirst] = useState(true)
  const text = wanted?.join() ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text represents the bounds
  useEffect(() => {
    if (!wanted) return
    const [south, west, north, east] = wanted
    map.fitBounds([west, south, east, north], {
      padding: bounds ? 0 : padding,
      animate: !isFirst,
      maxZoom: bounds ? 18 : nearest,
    })
    setFirst(false)
  }, [map, text])
  return null
}

/** Shown after the user has moved the map. */
function AreaButton({ onArea }: Pick<ResultsMapProps, 'onArea'>) {
  const map = useMap()
  const [isMoved, setMoved] = useState(false)
  useEffect(() => {
    const { unsubscribe } = map.on('moveend', ({ originalEvent }) => {
      if (originalEvent) setMoved(true)
    })
    return unsubscribe
  }, [map])
  if (!isMoved) return null
  return (
    <Overlay className="top-3">
      <Button
        className="pointer-events-auto shadow-float"
        onClick={() => {
          // Stops the map's inertia.
          map.stop()
          const area = map.getBounds()
          onArea(
            pointsOf([
              Math.max(-90, area.getSouth()),
              Math.max(-180, area.getWest()),
              Math.min(90, area.getNorth()),
              Math.min(180, area.getEast()),
            ]),
          )
        }}
      >
        {mapMessages.area}
      </Button>
    </Overlay>
  )
}

function Overlay({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div
      className={`pointer-events-none absolute inset-x-14 z-10 flex justify-center ${className}`}
    >
      {children}
    </div>
  )
}
