import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { QueryState } from '@/components/query-state'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { Rating } from '@/components/ui/rating'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { formatDay, wallClock, zoneFrom } from '@/lib/time'
import { ratingsQuery, reviewsQuery } from '../api/detail-queries'
import { messages } from '../page-messages'

type Review = {
  id: string
  rating: number
  comment: string | null
  created_at: string
  profiles: { full_name: string | null; avatar_url: string | null } | null
  response: { content: string; created_at: string } | null
}

type ReviewsProps = {
  business: { id: string; name: string; time_zone: string }
  onReport: (id: string, author: string) => void
}

/** The distribution of stars, then the reviews, newest first (BIZ-11). */
export function Reviews({ business, onReport }: ReviewsProps) {
  const query = useInfiniteQuery(reviewsQuery(business.id))
  const { data: ratings = [] } = useQuery(ratingsQuery(business.id))
  const rated = ratings.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className="grid gap-6">
      {rated > 0 && <Distribution ratings={ratings} rated={rated} />}
      <QueryState
        query={query}
        errorTitle={messages.reviewsError}
        pending={<ReviewsSkeleton />}
        isEmpty={(data) => data.pages[0]?.total === 0}
        empty={<p className="text-muted">{messages.noReviews}</p>}
      >
        {(data) => (
          <ul className="divide-y divide-line border-line border-t">
            {data.pages
              .flatMap((page) => page.rows)
              .map((review) => (
                <li key={review.id}>
                  <ReviewItem review={review} business={business} onReport={onReport} />
                </li>
              ))}
          </ul>
        )}
      </QueryState>
      {query.hasNextPage && (
        <div className="grid justify-items-start gap-2">
          {query.isFetchNextPageError && (
            <p role="alert" className="text-sm text-danger">
              {messages.moreReviewsError}
            </p>
          )}
          <Button
            variant="outline"
            pending={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {messages.moreReviews}
          </Button>
        </div>
      )}
    </div>
  )
}

type Share = { stars: number; count: number }

function Distribution({ ratings, rated }: { ratings: readonly Share[]; rated: number }) {
  return (
    <ul className="nums grid max-w-md gap-1.5 text-sm">
      {ratings.map(({ stars, count }) => (
        <li key={stars} className="flex items-center gap-3">
          <span className="sr-only">
            {messages.stars(stars)}: {messages.reviewCount(count)}
          </span>
          <span className="inline-flex w-7 items-center gap-1" aria-hidden>
            {stars}
            <Star className="size-3.5 fill-saffron text-saffron" strokeWidth={0} />
          </span>
          <span className="h-2 flex-1 overflow-hidden rounded-full bg-sunken" aria-hidden>
            <span
              className="block h-full rounded-full bg-saffron"
              style={{ width: `${(count / rated) * 100}%` }}
            />
          </span>
          <span className="w-8 text-end text-muted" aria-hidden>
            {count}
          </span>
        </li>
      ))}
    </ul>
  )
}

function ReviewItem({ review, business, onReport }: ReviewsProps & { review: Review }) {
  const name = review.profiles?.full_name?.trim() || messages.anonymous
  const zone = zoneFrom(business.time_zone)
  // Reviews show the day with its year; the hour is irrelevant.
  const dayOf = (at: string) => formatDay(wallClock(new Date(at), zone).date, 'dated')
  return (
    <article className="grid gap-2.5 py-5">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={review.profiles?.avatar_url ?? null} />
        <div className="grid">
          <h3 className="font-text text-base font-semibold tracking-normal">{name}</h3>
          <p className="text-sm text-muted">
            <time dateTime={review.created_at}>{dayOf(review.created_at)}</time>
          </p>
        </div>
        <Rating value={review.rating} className="ms-auto" />
      </div>
      {review.comment && (
        <p className="max-w-text whitespace-pre-line [overflow-wrap:anywhere]">{review.comment}</p>
      )}
      {review.response && (
        <div className="ms-4 grid max-w-text gap-1 border-primary border-s-2 ps-4 text-sm">
          <p className="font-semibold">{messages.answer(business.name)}</p>
          <p className="whitespace-pre-line text-muted">{review.response.content}</p>
        </div>
      )}
      <Button
        variant="link"
        size="inline"
        className="justify-self-start text-sm text-muted"
        onClick={() => onReport(review.id, name)}
      >
        {messages.report}
        <span className="sr-only">{messages.reviewBy(name)}</span>
      </Button>
    </article>
  )
}

function ReviewsSkeleton() {
  return (
    <SkeletonGroup label={messages.reviewsPending} className="grid gap-6">
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className="grid gap-3">
          <div className="flex items-center gap-3">
            <Skeleton className="size-10 rounded-full" />
            <Skeleton className="h-4 w-40" />
          </div>
          <Skeleton className="h-4 w-full max-w-text" />
        </div>
      ))}
    </SkeletonGroup>
  )
}
