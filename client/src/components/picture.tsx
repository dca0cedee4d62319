import { type ComponentProps, useState } from 'react'
import { pictureSizes } from '@/lib/picture'

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'alt'> & {
  url: string
  alt: string
}

/**
 * A picture in a fitting size, where it is one of ours; `sizes` says how wide it is
 * drawn. Where the server makes no sizes, the picture itself is shown.
 */
export function Picture({ url, alt, sizes = '100vw', ...props }: PictureProps) {
  const [plain, setPlain] = useState<string | null>(null)
  const made = plain === url ? null : pictureSizes(url)
  if (made === null) return <img {...props} alt={alt} src={url} />
  return <img {...props} alt={alt} sizes={sizes} {...made} onError={() => setPlain(url)} />
}
