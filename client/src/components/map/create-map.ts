import {
  AttributionControl,
  Map as MapLibre,
  NavigationControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { env } from '@/lib/env'
import { baseStyle, type MapColours } from './base-style'
import type { Look } from './geo'
import { messages } from './messages'

// The page's content security policy allows workers from this URL, but not from the library's
// default.
setWorkerUrl(new URL(workerUrl, window.location.href).href)

export type MapOptions = {
  container: HTMLElement
  /** The name for screen readers. */
  name: string
  look: Look
  /** A single finger and the wheel move the map, for maps with their own area of the screen. */
  isFree?: boolean
  onReady: () => void
  onFailed: () => void
}

export type MadeMap = {
  map: MapLibre
  /** Applies the theme's colours again; a style with its own colours keeps them. */
  applyTheme: () => void
}

/** Creates a map. Throws if the browser has no WebGL. */
export function createMap({
  container,
  name,
  look,
  isFree = false,
  onReady,
  onFailed,
}: MapOptions): MadeMap {
  const map = new MapLibre({
    container,
    style: env.mapStyle ?? themeStyle(container),
    center: [look.longitude, look.latitude],
    zoom: look.zoom,
    minZoom: 3,
    maxZoom: 18,
    maxPitch: 0,
    dragRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
    // Otherwise a single finger and the wheel scroll the page.
    cooperativeGestures: !isFree,
    attributionControl: false,
    locale: {
      'Map.Title': name,
      'NavigationControl.ZoomIn': messages.zoomIn,
      'NavigationControl.ZoomOut': messages.zoomOut,
      'AttributionControl.ToggleAttribution': messages.sources,
      'CooperativeGesturesHandler.WindowsHelpText': messages.scrollHelp,
      'CooperativeGesturesHandler.MacHelpText': messages.scrollHelpMac,
      'CooperativeGesturesHandler.MobileHelpText': messages.touchHelp,
    },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new AttributionControl({ customAttribution: [] }))
  let hasTheme = env.mapStyle === null
  let isStyled = false
  map.once('style.load', () => {
    isStyled = true
  })
  map.once('load', onReady)
  map.on('error', ({ error }) => {
    if (error.message.startsWith('Worker failed')) onFailed()
    if (hasTheme || isStyled) return // an error of a single tile
    hasTheme = true
    map.setStyle(themeStyle(container))
  })
  return {
    map,
    applyTheme: () => {
      if (hasTheme) map.setStyle(themeStyle(container))
    },
  }
}

function themeStyle(container: HTMLElement): StyleSpecification {
  return baseStyle(readColours(container), window.location.origin)
}

/**
 * Returns the theme's colours as computed by the browser: the variable itself reads as
 * `light-dark(…)`.
 */
function readColours(container: HTMLElement): MapColours {
  const probe = container.appendChild(document.createElement('i'))
  const read = (role: string) => {
    probe.style.color = `var(--${role})`
    return getComputedStyle(probe).color
  }
  const colours = {
    water: read('map-water'),
    land: read('map-land'),
    abroad: read('map-abroad'),
    border: read('map-border'),
    stateBorder: read('map-state'),
    city: read('ink'),
    town: read('muted'),
  }
  probe.remove()
  return colours
}
