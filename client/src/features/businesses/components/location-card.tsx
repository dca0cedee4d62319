import { MapPin, Navigation } from 'lucide-react'
import { useId } from 'react'
import { buttonLook } from '@/components/ui/button'
import { messages } from '../page-messages'

type Place = {
  address: string | null
  location: string
  latitude: number
  longitude: number
}

/** Where a map leads people: a page of OpenStreetMap, by place if it is known, else by address. */
function directionsTo({ address, location, latitude, longitude }: Place): string {
  if (latitude === 0 && longitude === 0) {
    const query = encodeURIComponent(address ?? location)
    return `https://www.openstreetmap.org/search?query=${query}`
  }
  const at = `${latitude}/${longitude}`
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${at}`
}

/** The address over a drawn plan that stands for a map (BIZ-09); nothing is asked of other sites. */
export function LocationCard({ place }: { place: Place }) {
  return (
    <div className="overflow-hidden rounded-panel border border-line bg-surface">
      <div className="relative h-56 overflow-hidden bg-sunken">
        <Plan turn={Math.round((place.latitude * 1000 + place.longitude * 1000) % 60) - 30} />
        <span className="absolute inset-0 m-auto grid size-14 place-items-center rounded-full bg-primary text-on-primary shadow-float ring-8 ring-primary/15">
          <MapPin className="size-7" strokeWidth={1.75} aria-hidden />
        </span>
      </div>
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
          className={buttonLook({ variant: 'outline' })}
        >
          <Navigation className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.directions}
        </a>
      </div>
    </div>
  )
}

// Blocks with cut corners, as in the grid of the Eixample, an avenue across and a park.
const block = 'M14 0h52l14 14v52l-14 14H14L0 66V14Z'

function Plan({ turn }: { turn: number }) {
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
          patternTransform={`rotate(${turn} 400 130)`}
        >
          <path d={block} transform="translate(10 10)" className="fill-surface stroke-line" />
        </pattern>
      </defs>
      <rect width="800" height="260" fill={`url(#${id})`} />
      <g transform={`rotate(${turn} 400 130)`}>
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
