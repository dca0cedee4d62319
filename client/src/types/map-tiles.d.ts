/** The tiles built by scripts/map-tiles.ts and served by scripts/map-plugin.ts. */
declare module 'virtual:map-tiles' {
  export const mapTiles: {
    /** Their URL, with {z}, {x} and {y} as placeholders. */
    path: string
    /** West, south, east, north. */
    bounds: [number, number, number, number]
    zooms: { first: number; last: number }
  }
}
