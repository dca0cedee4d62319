/** West, south, east and north of what the map's tiles cover: Spain with its islands, and Andorra. */
export const bounds: [number, number, number, number] = [-19.5, 26.5, 6, 45.5]
/** The tiles' zooms. At the last one a unit of theirs is 60 m; the sources are no finer than that. */
export const zooms = { first: 3, last: 7 }
