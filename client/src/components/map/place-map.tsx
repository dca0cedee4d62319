import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import 'maplibre-gl/dist/maplibre-gl.css'
import './map.css'
import { useTheme } from '@/lib/theme'
import { useMediaQuery } from '@/lib/use-media-query'
import { createMap, type MadeMap } from './create-map'
import { type Look, type Point, roundPoint } from './geo'
import { MapContext } from './map-context'
import { MapMissing } from './map-frame'
import { messages } from './messages'

type PlaceMapProps = {
  /** The name for screen readers. */
  name: string
  /** The initial view, applied again whenever it becomes a different place. */
  look: Look
  /** A single finger and the wheel move the map, for maps with their own area of the screen. */
  isFree?: boolean
  /** A place on the map was pressed. */
  onPress?: (point: Point) => void
  /** Markers. */
  children?: ReactNode
}

/** How long a map may take to load before the page reports a failure, in milliseconds. */
const loadTimeoutMs = 15_000

/** A map in a `MapFrame`. It imports the library, so import it lazily. */
export function PlaceMap({ name, look, isFree = false, onPress, children }: PlaceMapProps) {
  const container = useRef<HTMLDivElement>(null)
  const [made, setMade] = useState<MadeMap | null>(null)
  const [state, setState] = useState<'pending' | 'ready' | 'failed'>('pending')
  const make = useEffectEvent((element: HTMLElement) =>
    createMap({
      container: element,
      name,
      look,
      isFree,
      onReady: () => setState('ready'),
      onFailed: () => setState('failed'),
    }),
  )
  useEffect(() => {
    if (!container.current) return
    try {
      const created = make(container.current)
      setMade(created)
      return () => created.map.remove()
    } catch {
      setState('failed')
    }
  }, [])
  useEffect(() => {
    if (state !== 'pending') return
    const timer = window.setTimeout(() => setState('failed'), loadTimeoutMs)
    return () => window.clearTimeout(timer)
  }, [state])
  useMapTheme(made)
  useLook(made, look)
  usePress(made, onPress)
  return (
    <>
      <div
        ref={container}
        data-map={state}
        className={state === 'ready' ? 'size-full' : 'invisible size-full'}
      />
      {state === 'pending' && <span className="sr-only">{messages.pending}</span>}
      {state === 'failed' && <MapMissing />}
      {made && state === 'ready' && <MapContext value={made.map}>{children}</MapContext>}
    </>
  )
}

function useMapTheme(made: MadeMap | null) {
  const theme = useTheme()
  const isDark = useMediaQuery('(prefers-color-scheme: dark)')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page, which follows both
  useEffect(() => made?.applyTheme(), [made, theme, isDark])
}

function useLook(made: MadeMap | null, { latitude, longitude, zoom }: Look) {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!made) return
    if (!isFirst.current) made.map.easeTo({ center: [longitude, latitude], zoom })
    isFirst.current = false
  }, [made, latitude, longitude, zoom])
}

function usePress(made: MadeMap | null, onPress: ((point: Point) => void) | undefined) {
  const press = useEffectEvent((point: Point) => onPress?.(point))
  const isPressable = onPress !== undefined
  useEffect(() => {
    if (!made || !isPressable) return
    const { map } = made
    const { unsubscribe } = map.on('click', ({ originalEvent, lngLat: { lat, lng } }) => {
      // Markers are in the map's element, too.
      if (originalEvent.target !== map.getCanvas()) return
      press(roundPoint({ latitude: lat, longitude: lng }))
    })
    // Otherwise the first press of a double click would already act.
    map.doubleClickZoom.disable()
    return unsubscribe
  }, [made, isPressable])
}
