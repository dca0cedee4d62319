import { Images } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { Picture } from '@/components/picture'
import { TileCover } from '@/components/tile/tile-cover'
import { cn } from '@/lib/cn'
import type { Photo } from '../model/business-details'
import { messages } from '../page-messages'

// Loaded when the first photo is opened.
const Lightbox = lazyPart(async () => (await import('./lightbox')).Lightbox)

type GalleryProps = { id: string; name: string; topCategory: string; photos: readonly Photo[] }

const frame =
  'relative grid aspect-4/3 grid-cols-3 grid-rows-2 gap-2 overflow-hidden rounded-panel sm:aspect-2/1'
const chip =
  'absolute bottom-3 left-3 inline-flex items-center gap-2 rounded-full bg-surface px-4 text-sm font-semibold'
// One large photo and two small ones beside it; a single one takes all the space.
const place = (index: number, count: number) => {
  if (count === 1) return 'col-span-3 row-span-2'
  if (index === 0) return 'col-span-2 row-span-2'
  return count === 2 ? 'row-span-2' : ''
}

/** Returns which photo is open. Opening adds a history entry, so that Back closes the viewer. */
function useShown() {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const [last, setLast] = useState<number | null>(null)
  const at = hash === '#photos' ? last : null
  const show = (next: number | null) => {
    if (next === null) return void navigate(-1)
    setLast(next)
    if (at === null) void navigate({ search, hash: 'photos' }, { preventScrollReset: true })
  }
  return { at, show }
}

/** The photos, one large and two small; the tile if there are none (BIZ-05, BIZ-10). */
export function Gallery({ id, name, topCategory, photos }: GalleryProps) {
  const { at, show } = useShown()
  // Once used it stays mounted: a dialog returns the focus when it closes, not when it is
  // unmounted.
  const [used, setUsed] = useState(false)
  if (at !== null && !used) setUsed(true)
  if (photos.length === 0) return <TileGallery id={id} topCategory={topCategory} />
  const shown = photos.slice(0, 3)
  return (
    <section aria-label={messages.photos} data-visit="photo_view" className={frame}>
      {shown.map((photo, index) => (
        <button
          key={photo.id}
          type="button"
          className={cn('group overflow-hidden bg-sunken', place(index, shown.length))}
          onClick={() => show(index)}
        >
          <Picture
            url={photo.url}
            sizes={index === 0 ? '(width < 76rem) 100vw, 52rem' : '(width < 76rem) 34vw, 26rem'}
            alt={photo.caption ?? messages.photoOf(name, index + 1, photos.length)}
            fetchPriority={index === 0 ? 'high' : 'auto'}
            className="size-full object-cover transition-transform duration-200 group-hover:scale-[1.02]"
          />
        </button>
      ))}
      <button
        type="button"
        className={cn(chip, 'min-h-11 shadow-float hover:text-primary')}
        onClick={() => show(0)}
      >
        <Images className="size-4" strokeWidth={1.75} aria-hidden />
        {messages.showPhotos(photos.length)}
      </button>
      <Suspense>{used && <Lightbox name={name} photos={photos} at={at} onMove={show} />}</Suspense>
    </section>
  )
}

function TileGallery({ id, topCategory }: Pick<GalleryProps, 'id' | 'topCategory'>) {
  return (
    <div className={frame}>
      <TileCover category={topCategory} id={id} zoom={1.6} className={place(0, 1)} />
      <p className={cn(chip, 'py-1.5 text-muted')}>{messages.noPhotos}</p>
    </div>
  )
}
