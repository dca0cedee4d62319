import { type MouseEvent, useSyncExternalStore } from 'react'
import { useMap } from '@/components/map/map-context'
import { MapMarker } from '@/components/map/map-marker'
import { cn } from '@/lib/cn'
import { mapMessages } from '../map-messages'
import { boundsOf, circleAround, cluster, type MapPlace } from '../model/map-places'

type MapPinsProps = {
  places: readonly MapPlace[]
  active: string | null
  onPick: (id: string) => void
}

/**
 * Minimum distance between pins in pixels; pins at the same place are arranged around it at this
 * distance.
 */
const room = { x: 68, y: 36 }
const radius = 44
/** From this zoom on nothing is clustered: pins at the same place are arranged around it. */
const nearZoom = 16

/** A pin for each result, or one for several where they would overlap. */
export function MapPins({ places, active, onPick }: MapPinsProps) {
  const map = useMap()
  const zoom = useZoom()
  const spots = places.map((place) => ({
    ...map.project([place.longitude, place.latitude]),
    place,
  }))
  const isNear = zoom >= nearZoom
  return cluster(spots, room).map((group) => {
    const all = group.map(({ place }) => place)
    const [first] = all
    if (!first) return null
    if (all.length === 1 || isNear) {
      const ring = circleAround(all.length, all.length === 1 ? 0 : radius)
      return all.map((place, index) => (
        <MapMarker key={place.id} at={place} isOfMany isInFront={place.id === active}>
          <PinButton
            place={place}
            isActive={place.id === active}
            offset={ring[index] ?? { x: 0, y: 0 }}
            onPress={() => onPick(place.id)}
          />
        </MapMarker>
      ))
    }
    return (
      <MapMarker key={`${first.id} and others`} at={first} isOfMany>
        <ClusterButton places={all} isActive={all.some(({ id }) => id === active)} />
      </MapMarker>
    )
  })
}

/** Returns the zoom of the map when it has stopped moving. */
function useZoom(): number {
  const map = useMap()
  return useSyncExternalStore(
    (listener) => map.on('zoomend', listener).unsubscribe,
    () => map.getZoom(),
  )
}

const pin =
  'nums relative flex min-h-8 cursor-pointer items-center justify-center rounded-full border px-2.5 text-sm font-semibold whitespace-nowrap shadow-float after:absolute after:-inset-1.5 after:rounded-full'
const look = (isActive: boolean) =>
  isActive ? 'border-ink bg-ink text-ground' : 'border-control bg-surface text-ink hover:bg-sunken'

type PinButtonProps = {
  place: MapPlace
  isActive: boolean
  offset: { x: number; y: number }
  onPress: () => void
}

function PinButton({ place, isActive, offset, onPress }: PinButtonProps) {
  return (
    <button
      type="button"
      aria-label={mapMessages.pin(place.name, place.text)}
      aria-pressed={isActive}
      data-pin={place.id}
      className={cn(pin, look(isActive))}
      style={{ translate: `${offset.x}px ${offset.y}px` }}
      onClick={onPress}
    >
      {place.text}
    </button>
  )
}

/** Pressing it zooms in until its results are separate. */
function ClusterButton({ places, isActive }: { places: readonly MapPlace[]; isActive: boolean }) {
  const map = useMap()
  const zoomIn = (event: MouseEvent) => {
    const bounds = boundsOf(places)
    if (!bounds) return
    const [south, west, north, east] = bounds
    map.fitBounds(
      [west, south, east, north],
      { padding: 2 * radius, maxZoom: nearZoom },
      { originalEvent: event.nativeEvent },
    )
  }
  return (
    <button
      type="button"
      aria-label={mapMessages.together(places.length, places.map(({ name }) => name).join(', '))}
      className={cn(
        pin,
        'min-h-10 min-w-10',
        isActive ? look(true) : 'border-primary bg-primary text-on-primary',
      )}
      onClick={zoomIn}
    >
      {places.length}
    </button>
  )
}
