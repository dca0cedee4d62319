import { type ComponentProps, type ReactNode, useState } from 'react'
import { pictureSizes } from '@/lib/picture'

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'alt' | 'onError'> & {
  url: string
  alt: string
  /** In the place of a picture that cannot be had; without it the place stays empty. */
  fallback?: ReactNode
}

/**
 * A picture in a fitting size, where it is one of ours; `sizes` says how wide it is
 * drawn. Where the server makes no sizes, the picture itself is shown.
 */
export function Picture({ url, alt, sizes = '100vw', fallback, ...props }: PictureProps) {
  const [failed, setFailed] = useState<{ url: string; isPlain: boolean } | null>(null)
  const before = failed?.url === url ? failed : null
  if (before?.isPlain === true) {
    const place = alt !== '' && <span role="img" aria-label={alt} className={props.className} />
    return fallback ?? place
  }
  const made = before === null ? pictureSizes(url) : null
  return (
    <img
      {...props}
      alt={alt}
      {...(made === null ? { src: url } : { sizes, ...made })}
      onError={() => setFailed({ url, isPlain: made === null })}
    />
  )
}
