import type { Shape, TileSpec } from './tile-spec'

function draw(shape: Shape, colors: readonly string[]): string {
  const fill = colors[shape.fill] ?? '#000'
  if (shape.circle) {
    const [x, y, r] = shape.circle
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`
  }
  return `<path d="${shape.path}" fill="${fill}"/>`
}

const mirrored = [
  '',
  ' transform="matrix(-1 0 0 1 200 0)"',
  ' transform="matrix(1 0 0 -1 0 200)"',
  ' transform="matrix(-1 0 0 -1 200 200)"',
]

/**
 * Renders one tile of 200 units: a quadrant, mirrored four ways, with hairline joints. Under 2 KB.
 */
export function tileSvg({ shapes, colors }: TileSpec): string {
  const ground = `<path d="M0 0H200V200H0Z" fill="${colors[0]}"/>`
  const quadrant = shapes.map((shape) => draw(shape, colors)).join('')
  const uses = mirrored
    .map((transform) => `<use href="#q" width="100" height="100"${transform}/>`)
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="200" height="200"><defs><symbol id="q" viewBox="0 0 100 100">${quadrant}</symbol></defs>${ground}${uses}<path d="M0 0H200V200H0Z" fill="none" stroke="${colors[1]}" stroke-opacity=".22" stroke-width="1.6"/></svg>`
}

const cache = new Map<string, string>()

/**
 * Returns an image as a CSS data URL, encoded exactly as the server does
 * (functions/social/tile/css.go): the browser decodes an image once per URL, and the first view has
 * already shown it.
 */
function urlOf(svg: string): string {
  const text = svg.replaceAll('"', "'").replace(/[%<>#]/g, encodeURIComponent)
  return `url("data:image/svg+xml,${text}")`
}

/** Returns a tile as a CSS image. Cached, because lists render the same tiles repeatedly. */
export function tileImage(spec: TileSpec): string {
  const key = spec.motif + spec.colors.join()
  let image = cache.get(key)
  if (image === undefined) {
    image = urlOf(tileSvg(spec))
    cache.set(key, image)
  }
  return image
}
