import { Heart } from 'lucide-react'
import { Picture } from '@/components/picture'
import { TileCover } from '@/components/tile/tile-cover'
import { ButtonLink } from '@/components/ui/button'
import { Rating, ratingOf } from '@/components/ui/rating'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import type { Favorite } from '../api/list-queries'
import { listMessages as messages } from '../list-messages'

type FavoriteCardProps = {
  business: Favorite['business']
  /** The top category, which determines the tile if there is no photo. */
  topCategory: string
  onRemove: () => void
}

/** A favourite: picture, name, type, rating, link, and a button that removes it (DASH-08). */
export function FavoriteCard({ business, topCategory, onRemove }: FavoriteCardProps) {
  const { id, name, type, image_url: cover } = business
  return (
    <article aria-labelledby={`favorite-${id}`} className="relative grid content-start gap-3">
      {cover ? (
        <Picture
          url={cover}
          alt=""
          sizes="(width < 40rem) 100vw, (width < 64rem) 50vw, 20rem"
          loading="lazy"
          decoding="async"
          className="aspect-3/2 w-full rounded-card bg-sunken object-cover"
        />
      ) : (
        <TileCover
          category={topCategory}
          id={id}
          className="aspect-3/2 w-full overflow-hidden rounded-card"
        />
      )}
      <button
        type="button"
        title={messages.remove(name)}
        className="absolute end-2 top-2 grid size-11 place-items-center rounded-full border border-control bg-surface hover:bg-sunken"
        onClick={onRemove}
      >
        <Heart className="size-5 fill-danger text-danger" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.remove(name)}</span>
      </button>
      <div className="grid gap-1">
        <h3
          id={`favorite-${id}`}
          className="font-text text-base font-semibold tracking-normal [overflow-wrap:anywhere]"
        >
          {name}
        </h3>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{localName(type)}</p>
        <Rating value={ratingOf(business)} />
      </div>
      <ButtonLink to={paths.business(id)} variant="outline" className="justify-self-start">
        {messages.details}
        <span className="sr-only"> of {name}</span>
      </ButtonLink>
    </article>
  )
}
