import { Navigation } from 'lucide-react'
import { useId } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { MapFrame } from '@/components/map/map-frame'
import { buttonClass } from '@/components/ui/button'
import { messages } from '../page-messages'

const LocationMap = lazyPart(async () => (await import('./location-map')).LocationMap)

type Place = {
  address: string | null
  location: string
  latitude: number
  longitude: number
}

/** Latitude and longitude 0 mean no position. */
const hasPosition = ({ latitude, longitude }: Place) => latitude !== 0 || longitude !== 0

/**
 * Returns a link for directions: to OpenStreetMap, by position if it is known, otherwise by
 * address.
 */
function directionsTo(place: Place): string {
  const { address, location, latitude, longitude } = place
  if (!hasPosition(place)) {
    const query = encodeURIComponent(address ?? location)
    return `https://www.openstreetmap.org/search?query=${query}`
  }
  const at = `${latitude}/${longitude}`
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${at}`
}

/** The address below a map of the place; a drawing replaces the map if there is none (BIZ-09). */
export function LocationCard({ place }: { place: Place }) {
  return (
    <div className="overflow-hidden rounded-panel border border-line bg-surface">
      {hasPosition(place) ? (
        <MapFrame className="h-72" placeholder={<Plan />}>
          <LocationMap at={place} />
        </MapFrame>
      ) : (
        <div className="relative h-56 overflow-hidden bg-sunken">
          <Plan />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3 p-4">
        <address className="not-italic">
          <span className="font-semibold">{place.address ?? place.location}</span>
          {place.address !== null && (
            <span className="block text-sm text-muted">{place.location}</span>
          )}
        </address>
        <a
          data-visit="directions"
          href={directionsTo(place)}
          target="_blank"
          rel="noreferrer"
          className={buttonClass({ variant: 'outline' })}
        >
          <Navigation className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.directions}
        </a>
      </div>
    </div>
  )
}

// Blocks with cut corners, as in the grid of the Eixample, with an avenue and a park.
const block = 'M14 0h52l14 14v52l-14 14H14L0 66V14Z'

function Plan() {
  const id = useId()
  return (
    <svg
      viewBox="0 0 800 260"
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full"
      aria-hidden
      focusable="false"
    >
      <defs>
        <pattern
          id={id}
          width="100"
          height="100"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(-20 400 130)"
        >
          <path d={block} transform="translate(10 10)" className="fill-surface stroke-line" />
        </pattern>
      </defs>
      <rect width="800" height="260" fill={`url(#${id})`} />
      <g transform="rotate(-20 400 130)">
        <path d={block} transform="translate(510 110)" className="fill-success-soft" />
        <path d={block} transform="translate(510 10)" className="fill-success-soft" />
        <path d="M-200 420 1000-180" className="stroke-sunken" strokeWidth="34" />
        <path
          d="M-200 420 1000-180"
          className="stroke-line"
          strokeWidth="2"
          strokeDasharray="10 12"
        />
      </g>
    </svg>
  )
}
