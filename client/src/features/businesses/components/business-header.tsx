import type { ReactNode } from 'react'
import { LogoPicture } from '@/components/logo-picture'
import { Rating, ratingOf } from '@/components/ui/rating'
import { localName } from '@/lib/local-name'
import type { BusinessDetails } from '../api/detail-queries'
import { sourcesOf } from '../model/business-details'
import { messages } from '../page-messages'
import { OpenLine } from './open-line'

/** Name, rating, type, place and opening state, with the buttons below (BIZ-05, BIZ-06). */
export function BusinessHeader({
  business,
  now,
  actions,
}: {
  business: BusinessDetails
  now: Date
  actions: ReactNode
}) {
  const value = ratingOf(business)
  const sources = sourcesOf(business)
  return (
    <header className="grid gap-3">
      <div className="flex items-center gap-4">
        {business.logo && <LogoPicture url={business.logo} className="size-16" />}
        <h1 className="text-2xl [overflow-wrap:anywhere] sm:text-3xl">{business.name}</h1>
      </div>
      {business.tagline && <p className="text-lg text-muted">{business.tagline}</p>}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        <Rating value={value} />
        <Dot />
        <a href="#reviews" className="reach hover:text-ink hover:underline">
          {messages.reviewCount(business.user_ratings_total)}
        </a>
        {sources !== null && <span>({sources})</span>}
        <Dot />
        <span>{localName(business.type)}</span>
        <Dot />
        <span>{business.location}</span>
        <Dot />
        <OpenLine business={business} now={now} />
      </div>
      <div className="flex flex-wrap gap-3 pt-1 max-sm:gap-2 max-sm:*:px-3">{actions}</div>
    </header>
  )
}

function Dot() {
  return <span aria-hidden>·</span>
}
