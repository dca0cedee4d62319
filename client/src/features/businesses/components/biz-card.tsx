import { Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Picture } from '@/components/picture'
import { TileCover } from '@/components/tile/tile-cover'
import { Rating, ratingOf } from '@/components/ui/rating'
import { cn } from '@/lib/cn'
import { localName } from '@/lib/local-name'
import { formatPrice } from '@/lib/money'
import { paths } from '@/lib/paths'
import { messages } from '../messages'
import type { CardBusiness } from '../model/business-card'
import { OpenLine } from './open-line'

type BizCardProps = {
  business: CardBusiness
  /** Slug of the top category, which determines the tile if there is no photo. */
  topCategory: string
  /** `tile` is for grids; `row` is for lists and shows everything (SEARCH-20 to 22). */
  shape?: 'tile' | 'row'
  now: Date
  headingLevel?: 'h2' | 'h3'
  /** Its owner promotes it, and the card says so. */
  isPromoted?: boolean
  /** Its distance. */
  away?: string | undefined
  /** Additional lines. */
  children?: ReactNode
}

const rowGrid = 'grid-cols-[7rem_1fr] gap-4 sm:grid-cols-[13rem_1fr] sm:gap-5'
const rowCover = 'aspect-square sm:aspect-4/3'

/** A business in a list. The whole card is a single link, named after the business. */
export function BizCard({
  business,
  topCategory,
  shape = 'tile',
  now,
  headingLevel: Heading = 'h3',
  isPromoted = false,
  away,
  children,
}: BizCardProps) {
  const isRow = shape === 'row'
  return (
    <article
      className={cn('group relative grid gap-3', isRow && rowGrid)}
      {...(isPromoted && { 'data-promoted': business.id })}
    >
      <BizCover
        business={business}
        topCategory={topCategory}
        className={isRow ? rowCover : 'aspect-4/3'}
      />
      <div className="grid min-w-0 content-start gap-1">
        <div
          className={cn(
            'flex items-start justify-between gap-x-3 max-sm:flex-col max-sm:gap-0.5',
            isRow && 'flex-col gap-0.5',
          )}
        >
          <Heading className="font-text text-base font-semibold tracking-normal [overflow-wrap:anywhere]">
            <Link
              to={paths.business(business.id)}
              className="after:absolute after:inset-0 after:rounded-card group-hover:text-primary"
            >
              {business.name}
            </Link>
          </Heading>
          <Rating
            value={ratingOf(business)}
            shape={isRow ? 'five' : 'one'}
            {...(isRow && { count: business.user_ratings_total })}
            className="shrink-0 leading-6"
          />
        </div>
        <p className="text-sm text-muted">
          {isPromoted && <span className="font-semibold text-ink">{messages.promoted} · </span>}
          {localName(business.type)} · {business.location}
          {away !== undefined && ` · ${away}`}
        </p>
        <div className={cn('gap-x-2 text-sm', isRow ? 'flex flex-wrap' : 'grid gap-y-1')}>
          <OpenLine business={business} now={now} />
          <PriceFrom price={business.price_from} />
        </div>
        {isRow && business.phone !== null && (
          <p className="nums flex items-center gap-1.5 text-sm text-muted">
            <Phone className="size-3.5" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{messages.phone}</span>
            {business.phone}
          </p>
        )}
        {children}
      </div>
    </article>
  )
}

/** The price of the cheapest service. In a grid, every card reserves space for this line. */
function PriceFrom({ price }: { price: number | null }) {
  return (
    <p className="nums min-h-5 text-muted">
      {price !== null && price > 0 && `${messages.from} `}
      <span className="font-semibold text-ink">
        {price !== null && (price > 0 ? formatPrice(price) : messages.free)}
      </span>
    </p>
  )
}

/** The photo of a business, or its tile (never a grey box). */
function BizCover({
  business,
  topCategory,
  className,
}: Pick<BizCardProps, 'topCategory'> & {
  business: Pick<CardBusiness, 'id' | 'image_url'>
  className?: string
}) {
  const frame = cn('w-full overflow-hidden rounded-card', className)
  if (business.image_url) {
    return (
      <Picture
        url={business.image_url}
        alt=""
        sizes="(width < 40rem) 100vw, 20rem"
        loading="lazy"
        decoding="async"
        className={cn(frame, 'bg-sunken object-cover')}
      />
    )
  }
  return <TileCover category={topCategory} id={business.id} className={frame} />
}

/** A placeholder for a card that is loading. */
export function BizCardSkeleton({ shape = 'tile' }: Pick<BizCardProps, 'shape'>) {
  const isRow = shape === 'row'
  return (
    <div className={cn('grid animate-pulse gap-3', isRow && rowGrid)}>
      <div className={cn('rounded-card bg-sunken', isRow ? rowCover : 'aspect-4/3')} />
      <div className="grid gap-1">
        <div className="my-1 h-4 w-3/4 rounded-chip bg-sunken" />
        <div className="my-1 h-3 w-full rounded-chip bg-sunken" />
        <div className="my-1 h-3 w-1/2 rounded-chip bg-sunken" />
        {!isRow && <div className="my-1 h-3 w-1/3 rounded-chip bg-sunken" />}
      </div>
    </div>
  )
}
