import { type ComponentProps, useState } from 'react'
import { pictureSizes } from '@/lib/picture'

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'alt'> & {
  url: string
  alt: string
}

/**
 * A picture in a suitable size if it is one of ours; `sizes` is its rendered width. If the server
 * cannot resize it, the original is shown.
 */
export function Picture({ url, alt, sizes = '100vw', ...props }: PictureProps) {
  const [plain, setPlain] = useState<string | null>(null)
  const made = plain === url ? null : pictureSizes(url)
  if (made === null) return <img {...props} alt={alt} src={url} />
  return <img {...props} alt={alt} sizes={sizes} {...made} onError={() => setPlain(url)} />
}
