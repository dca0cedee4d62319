import { Marker } from 'maplibre-gl'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Point, roundPoint, stepOf } from './geo'
import { useMap } from './map-context'

type MapMarkerProps = {
  at: Point
  /**
   * Called when the marker was dragged or moved with the arrow keys; without it the marker is
   * fixed.
   */
  onMove?: (point: Point) => void
  /** One of many markers: it is centred on its location, and the map does not move to show it. */
  isOfMany?: boolean
  /** Shown in front of all others. */
  isInFront?: boolean
  /** The content, with its lower edge at the location. */
  children: ReactNode
}

/** A React component at a location of the map. The map keeps it in view when it moves. */
export function MapMarker({
  at: { latitude, longitude },
  onMove,
  isOfMany = false,
  isInFront = false,
  children,
}: MapMarkerProps) {
  const map = useMap()
  const canMove = onMove !== undefined
  const [element] = useState(() => document.createElement('div'))
  const [marker] = useState(() =>
    new Marker({
      element,
      anchor: isOfMany ? 'center' : 'bottom',
      draggable: canMove,
    }).setLngLat([longitude, latitude]),
  )
  const move = useEffectEvent(({ lat, lng }: { lat: number; lng: number }) =>
    onMove?.(roundPoint({ latitude: lat, longitude: lng })),
  )
  useEffect(() => {
    marker.addTo(map)
    return () => {
      marker.remove()
    }
  }, [marker, map])
  useEffect(() => {
    marker.setLngLat([longitude, latitude])
    if (!isOfMany && !map.getBounds().contains([longitude, latitude]))
      map.easeTo({ center: [longitude, latitude] })
  }, [marker, map, isOfMany, latitude, longitude])
  useEffect(() => {
    element.style.zIndex = isInFront ? '1' : ''
  }, [element, isInFront])
  useEffect(() => {
    if (!canMove) return
    // Otherwise dragging it with a finger scrolls the page.
    element.style.touchAction = 'none'
    const { unsubscribe } = marker.on('dragend', () => move(marker.getLngLat()))
    const handleKey = (event: KeyboardEvent) => {
      const step = stepOf(event.key, event)
      if (!step) return
      event.preventDefault()
      // The surrounding map would move, too.
      event.stopPropagation()
      const { x, y } = map.project(marker.getLngLat())
      move(map.unproject([x + step.x, y + step.y]))
    }
    element.addEventListener('keydown', handleKey)
    return () => {
      unsubscribe()
      element.removeEventListener('keydown', handleKey)
    }
  }, [marker, map, element, canMove])
  return createPortal(children, element)
}
