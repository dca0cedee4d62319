import { Suspense } from 'react'
import { Deferred } from '@/components/deferred'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/ui/skeleton'
import type { BusinessDetails } from '../api/detail-queries'
import type { Service } from '../model/business-details'
import { messages } from '../page-messages'
import { About } from './about'
import { Section } from './section'
import { ServiceList } from './service-list'

// Its code loads while the services are being read.
const BusinessMore = lazyPart(async () => (await import('./business-more')).BusinessMore)

type BusinessSectionsProps = {
  business: BusinessDetails
  now: Date
  chosenService: string | null
  /** Null if nothing can be booked. */
  onBook: ((service: Service) => void) | null
  onReportReview: (id: string, author: string) => void
}

/** All sections of a business page below its header (BIZ-07 to BIZ-13). */
export function BusinessSections({
  business,
  now,
  chosenService,
  onBook,
  onReportReview,
}: BusinessSectionsProps) {
  return (
    <>
      <Section title={messages.services} id="services">
        <ServiceList services={business.services} chosen={chosenService} onBook={onBook} />
      </Section>
      <Deferred room={<Skeleton className="h-[60rem]" />}>
        <Section title={messages.about}>
          <About business={business} />
        </Section>
        <Suspense fallback={<Skeleton className="h-[60rem]" />}>
          <BusinessMore business={business} now={now} onReportReview={onReportReview} />
        </Suspense>
      </Deferred>
    </>
  )
}
