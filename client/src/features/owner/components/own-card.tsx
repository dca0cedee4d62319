import { LogoPicture } from '@/components/logo-picture'
import { Picture } from '@/components/picture'
import { TileCover } from '@/components/tile/tile-cover'
import { ButtonLink } from '@/components/ui/button'
import { paths } from '@/lib/paths'
import type { OwnBusiness } from '../api/queries'
import { messages } from '../messages'

type OwnCardProps = { business: OwnBusiness; topCategory: string }

/**
 * One of the user's businesses: picture, name, type, place, and links to view and edit it
 * (OWNER-02).
 */
export function OwnCard({ business, topCategory }: OwnCardProps) {
  const { id, name, type, location, image_url: cover, logo } = business
  return (
    <article
      aria-labelledby={`own-${id}`}
      className="grid grid-rows-[auto_1fr_auto] overflow-hidden rounded-card border border-line bg-surface"
    >
      {cover ? (
        <Picture
          url={cover}
          alt=""
          sizes="(width < 40rem) 100vw, (width < 64rem) 50vw, 24rem"
          loading="lazy"
          decoding="async"
          className="aspect-3/2 w-full bg-sunken object-cover"
        />
      ) : (
        <TileCover category={topCategory} id={id} className="aspect-3/2 w-full" />
      )}
      <div className="flex items-start gap-3 p-4">
        {logo && <LogoPicture url={logo} className="size-11" />}
        <div className="grid min-w-0 gap-1">
          <h2
            id={`own-${id}`}
            className="font-text text-base font-semibold tracking-normal [overflow-wrap:anywhere]"
          >
            {name}
          </h2>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            {type} · {location}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 p-4 pt-0">
        <ButtonLink to={paths.businessBookings(id)} className="basis-full">
          {messages.bookings}
          <span className="sr-only"> {name}</span>
        </ButtonLink>
        <ButtonLink to={paths.business(id)} variant="outline" className="flex-1">
          {messages.view}
          <span className="sr-only"> {name}</span>
        </ButtonLink>
        <ButtonLink to={paths.businessEdit(id)} variant="soft" className="flex-1">
          {messages.edit}
          <span className="sr-only"> {name}</span>
        </ButtonLink>
      </div>
    </article>
  )
}
