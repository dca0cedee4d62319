import { ErrorBoundary } from '@/components/error-boundary'
import type { BusinessDetails } from '../api/detail-queries'
import { messages } from '../messages'
import type { Service } from '../model/business-details'
import { About } from './about'
import { AmenityList } from './amenity-list'
import { HoursTable } from './hours-table'
import { LocationCard } from './location-card'
import { Reviews } from './reviews'
import { Section } from './section'
import { ServiceList } from './service-list'

type BusinessSectionsProps = {
  business: BusinessDetails
  now: Date
  chosenService: string | null
  onBook: (service: Service) => void
}

/** Everything a business says below its head (BIZ-07 to BIZ-13). */
export function BusinessSections({ business, now, chosenService, onBook }: BusinessSectionsProps) {
  return (
    <>
      <Section title={messages.services} id="services">
        <ServiceList services={business.services} chosen={chosenService} onBook={onBook} />
      </Section>
      <Section title={messages.about}>
        <About business={business} />
      </Section>
      <Section title={messages.hours}>
        <HoursTable stored={business.hours} timeZone={business.time_zone} now={now} />
      </Section>
      <Section title={messages.amenities}>
        <AmenityList stored={business.amenities} />
      </Section>
      <Section title={messages.location}>
        <LocationCard place={business} />
      </Section>
      <Section title={messages.reviews} id="reviews">
        <ErrorBoundary title={messages.reviewsError}>
          <Reviews business={business} />
        </ErrorBoundary>
      </Section>
    </>
  )
}
