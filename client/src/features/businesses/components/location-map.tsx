import { lookAt, type Point } from '@/components/map/geo'
import { MapMarker } from '@/components/map/map-marker'
import { Pin } from '@/components/map/pin'
import { PlaceMap } from '@/components/map/place-map'
import { env } from '@/lib/env'
import { messages } from '../page-messages'

/** The location of a business on a map. */
export function LocationMap({ at }: { at: Point }) {
  return (
    <PlaceMap name={messages.map} look={lookAt(at, 'door', env.mapStyle !== null)}>
      <MapMarker at={at}>
        <Pin />
      </MapMarker>
    </PlaceMap>
  )
}
