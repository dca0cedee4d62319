import { Deferred } from '@/components/deferred'
import { ErrorBoundary } from '@/components/error-boundary'
import type { BusinessDetails } from '../api/detail-queries'
import { messages } from '../page-messages'
import { AmenityList } from './amenity-list'
import { HoursTable } from './hours-table'
import { LocationCard } from './location-card'
import { Reviews } from './reviews'
import { Section } from './section'

type BusinessMoreProps = {
  business: BusinessDetails
  now: Date
  onReportReview: (id: string, author: string) => void
}

/** The sections below the fold: hours, amenities, location and reviews. */
export function BusinessMore({ business, now, onReportReview }: BusinessMoreProps) {
  return (
    <>
      <Section title={messages.hours}>
        <HoursTable stored={business.hours} timeZone={business.time_zone} now={now} />
      </Section>
      <Section title={messages.amenities}>
        <AmenityList stored={business.amenities} />
      </Section>
      <Section title={messages.location}>
        <LocationCard place={business} />
      </Section>
      <Deferred>
        <Section title={messages.reviews} id="reviews">
          <ErrorBoundary title={messages.reviewsError}>
            <Reviews business={business} onReport={onReportReview} />
          </ErrorBoundary>
        </Section>
      </Deferred>
    </>
  )
}
