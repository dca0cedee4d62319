/** The tiles that scripts/map-tiles.ts cuts, as scripts/map-plugin.ts serves them. */
declare module 'virtual:map-tiles' {
  export const mapTiles: {
    /** Where they are, with {z}, {x} and {y} to fill in. */
    path: string
    /** West, south, east, north. */
    bounds: [number, number, number, number]
    zooms: { first: number; last: number }
  }
}
