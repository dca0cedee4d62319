import { Avatar } from '@/components/ui/avatar'
import { Rating } from '@/components/ui/rating'
import { formatMoment, type Zone } from '@/lib/time'
import type { Review } from '../api/queries'
import { messages } from '../messages'
import { ResponseForm } from './response-form'

type ReviewItemProps = {
  review: Review
  businessId: string
  zone: Zone
  onResponded: () => void
}

/** A review, with its response or the form for one (METRICS-36). */
export function ReviewItem({ review, businessId, zone, onResponded }: ReviewItemProps) {
  const name = review.profiles?.full_name?.trim() || messages.anonymous
  return (
    <article
      aria-labelledby={`review-${review.id}`}
      className="grid gap-3 rounded-panel border border-line bg-surface p-4 sm:p-5"
    >
      <div className="flex flex-wrap items-center gap-3">
        <Avatar name={name} src={review.profiles?.avatar_url ?? null} />
        <div className="grid">
          <h3
            id={`review-${review.id}`}
            className="font-text text-base font-semibold tracking-normal"
          >
            {name}
          </h3>
          <time dateTime={review.created_at} className="text-sm text-muted">
            {formatMoment(new Date(review.created_at), zone).split(',')[0]}
          </time>
        </div>
        <Rating value={review.rating} className="ms-auto" />
      </div>
      {review.comment !== null && (
        <p className="max-w-text whitespace-pre-line [overflow-wrap:anywhere]">{review.comment}</p>
      )}
      {review.response ? (
        <div className="grid max-w-text gap-1 border-primary border-s-2 ps-4 text-sm">
          <p className="font-semibold">{messages.yourAnswer}</p>
          <p className="whitespace-pre-line text-muted [overflow-wrap:anywhere]">
            {review.response.content}
          </p>
        </div>
      ) : (
        <ResponseForm
          name={name}
          businessId={businessId}
          reviewId={review.id}
          onResponded={onResponded}
        />
      )}
    </article>
  )
}
