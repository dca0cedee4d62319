import { mapTiles } from 'virtual:map-tiles'
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'

/** The colours of the map, by purpose. */
export type MapColours = {
  water: string
  land: string
  /** Land outside Plaza's market. */
  abroad: string
  border: string
  stateBorder: string
  city: string
  town: string
}

const ign = '<a href="https://www.ign.es" target="_blank" rel="noreferrer">© IGN España</a>'
const earth =
  '<a href="https://www.naturalearthdata.com" target="_blank" rel="noreferrer">Natural Earth</a>'
const names = '<a href="https://www.geonames.org" target="_blank" rel="noreferrer">GeoNames</a>'

/** The style of the built-in map: borders and towns, in the theme's colours. */
export function baseStyle(colours: MapColours, origin: string): StyleSpecification {
  return {
    version: 8,
    // No glyphs: the page's own font renders the names.
    sources: {
      base: {
        type: 'vector',
        tiles: [origin + mapTiles.path],
        minzoom: mapTiles.zooms.first,
        maxzoom: mapTiles.zooms.last,
        bounds: mapTiles.bounds,
        attribution: `${ign} · ${earth} · ${names}`,
      },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      {
        id: 'land',
        ...tileLayer('land'),
        type: 'fill',
        paint: {
          'fill-color': ['case', ['get', 'served'], colours.land, colours.abroad],
          'fill-antialias': false,
        },
      },
      border('municipality', 0.75, colours.border, [2, 2]),
      border('province', 1, colours.border),
      border('state', 1.25, colours.stateBorder, [4, 2]),
      towns(colours),
    ],
  }
}

const tileLayer = (name: string) => ({ source: 'base', 'source-layer': name }) as const

function border(
  kind: 'municipality' | 'province' | 'state',
  width: number,
  colour: string,
  dashes?: [number, number],
): LayerSpecification {
  return {
    id: kind,
    ...tileLayer(kind),
    type: 'line',
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': colour,
      'line-width': width,
      ...(dashes && { 'line-dasharray': dashes }),
    },
  }
}

/** Names of towns, larger ones first; small ones appear at higher zooms. */
function towns(colours: MapColours): LayerSpecification {
  return {
    id: 'towns',
    ...tileLayer('towns'),
    type: 'symbol',
    filter: ['<=', ['get', 'zoom'], ['zoom']],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': ['Figtree', 'sans-serif'],
      'text-size': ['interpolate', ['linear'], ['get', 'people'], 5_000, 12, 500_000, 16],
      'text-max-width': 7,
      'text-padding': 6,
      'symbol-sort-key': ['-', ['get', 'people']],
    },
    paint: {
      'text-color': ['step', ['get', 'people'], colours.town, 30_000, colours.city],
      'text-halo-color': colours.land,
      'text-halo-width': 1.5,
    },
  }
}
