import { useState } from 'react'
import { everywhere, type Look, lookAt, type Point } from '@/components/map/geo'
import { MapMarker } from '@/components/map/map-marker'
import { Pin } from '@/components/map/pin'
import { PlaceMap } from '@/components/map/place-map'
import { env } from '@/lib/env'
import { detailsMessages as words } from '../details-messages'
import type { Place } from '../model/place'

type PinMapProps = {
  /** The selected town. */
  place: Place | undefined
  /** The position of the pin, if there is one. */
  pin: Point | null
  onPin: (point: Point) => void
}

/** A map for setting the pin of a business (OWNER-05) by pressing, dragging, or arrow keys. */
export function PinMap({ place, pin, onPin }: PinMapProps) {
  const [town, setTown] = useState(place?.slug)
  const [look, setLook] = useState<Look>(() =>
    pin ? lookAt(pin, 'door', hasStreets) : lookAtTown(place),
  )
  if (town !== place?.slug) {
    setTown(place?.slug)
    if (place) setLook(lookAtTown(place))
  }
  return (
    <PlaceMap name={words.map} look={look} onPress={onPin}>
      {pin && (
        <MapMarker at={pin} onMove={onPin}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move it, and no HTML element has this role */}
          <div role="application" tabIndex={0} aria-label={words.pin} className="cursor-grab">
            <Pin />
          </div>
        </MapMarker>
      )}
    </PlaceMap>
  )
}

const hasStreets = env.mapStyle !== null

function lookAtTown(place: Place | undefined): Look {
  return place ? lookAt(place, 'town', hasStreets) : everywhere
}
