import { Marker } from 'maplibre-gl'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Point, roundPoint, stepOf } from './geo'
import { useMap } from './map-context'

type MapMarkerProps = {
  at: Point
  /** It was dragged, or moved with the arrow keys; without this it stays where it is. */
  onMove?: (point: Point) => void
  /** One of many: it stands with its middle at its place, and the map does not move to show it. */
  isOfMany?: boolean
  /** Before all others. */
  isInFront?: boolean
  /** What stands at the place, with its lower edge on it. */
  children: ReactNode
}

/** Something of ours at a place on the map. It stays in view when it moves. */
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
    // Else a finger that drags it scrolls the page.
    element.style.touchAction = 'none'
    const { unsubscribe } = marker.on('dragend', () => move(marker.getLngLat()))
    const handleKey = (event: KeyboardEvent) => {
      const step = stepOf(event.key, event)
      if (!step) return
      event.preventDefault()
      // The map around it would move, too.
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
