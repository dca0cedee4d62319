/** West, south, east and north bounds of the map's tiles: Spain with its islands, and Andorra. */
export const bounds: [number, number, number, number] = [-19.5, 26.5, 6, 45.5]
/** The tiles' zooms. At the last one their unit is 60 m; the sources are no finer. */
export const zooms = { first: 3, last: 7 }
