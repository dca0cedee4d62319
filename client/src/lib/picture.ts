import { env } from './env'

const objects = '/storage/v1/object/public/'
const rendered = '/storage/v1/render/image/public/'

/** The widths in which pictures are requested, in pixels: few, so that results are shared. */
const pictureWidths = [320, 640, 960, 1280, 1920] as const

/**
 * Returns the path of a stored picture, whatever the host in its URL; null for any other picture.
 */
function storedPath(url: string): string | null {
  if (url.startsWith(objects)) return url
  if (!URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  return origin === env.supabaseUrl && pathname.startsWith(objects) ? pathname : null
}

/**
 * Returns a stored picture's sizes for `srcset`; null for one of another site, which is shown
 * unchanged. No size is larger than the picture itself.
 */
export function pictureSizes(url: string): { src: string; srcSet: string } | null {
  const path = storedPath(url)
  if (path === null) return null
  const at = (width: number) =>
    `${env.supabaseUrl}${rendered}${path.slice(objects.length)}?width=${width}&quality=75`
  return {
    src: at(960),
    srcSet: pictureWidths.map((width) => `${at(width)} ${width}w`).join(', '),
  }
}
