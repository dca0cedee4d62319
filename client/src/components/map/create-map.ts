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

// The page's policy lets workers come from here, but not from where the library would look.
setWorkerUrl(new URL(workerUrl, window.location.href).href)

export type MapOptions = {
  container: HTMLElement
  /** What screen readers call it. */
  name: string
  look: Look
  /** One finger and the wheel move it, where it has a place of its own on the screen. */
  isFree?: boolean
  onReady: () => void
  onFailed: () => void
}

export type MadeMap = {
  map: MapLibre
  /** Takes the theme's colours anew; a style with colours of its own keeps them. */
  applyTheme: () => void
}

/** Makes a map. Throws where the browser draws no WebGL. */
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
    // Else one finger scrolls the page, and so does the wheel.
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
    if (hasTheme || isStyled) return // of a single tile
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

/** The theme's colours as the browser computes them: a variable itself reads as `light-dark(…)`. */
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
