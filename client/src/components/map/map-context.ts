import type { Map as MapLibre } from 'maplibre-gl'
import { createContext, useContext } from 'react'

export const MapContext = createContext<MapLibre | null>(null)

/** Returns the map that contains the component. */
export function useMap(): MapLibre {
  const map = useContext(MapContext)
  if (!map) throw new Error('This stands outside of a PlaceMap')
  return map
}
