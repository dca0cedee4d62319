import { useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { Suspense } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { Deferred } from '@/components/deferred'
import { lazyPart } from '@/components/lazy-part'
import { QueryState } from '@/components/query-state'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { Button, ButtonLink } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { type BusinessDetails, businessQuery } from '@/features/businesses/api/detail-queries'
import { BusinessHeader } from '@/features/businesses/components/business-header'
import { BusinessSections } from '@/features/businesses/components/business-sections'
import {
  BusinessMissing,
  BusinessSkeleton,
  businessGrid,
} from '@/features/businesses/components/business-states'
import { Gallery } from '@/features/businesses/components/gallery'
import { photosOf, websiteOf } from '@/features/businesses/model/business-details'
import { movedTo } from '@/features/businesses/model/business-key'
import { messages } from '@/features/businesses/page-messages'
import { categoriesQuery } from '@/features/directory/api/queries'
import { topCodeOf } from '@/features/directory/model/categories'
import { localName } from '@/lib/local-name'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { rememberReturn } from '@/lib/return-path'
import { useSession } from '@/lib/session'
import { withMoreTexts } from '@/lib/translated'
import { BusinessBooking, useBusinessBooking } from './business-booking'
import { useStoredRedirect } from './redirect-step'
import { useReport } from './use-report'

const FavoriteButton = lazyPart(
  async () => (await import('@/features/favorites/components/favorite-button')).FavoriteButton,
)
// Most pages show the booking panel instead.
const UnclaimedPanel = lazyPart(
  async () =>
    (await withMoreTexts(() => import('@/features/claims/components/unclaimed-panel')))
      .UnclaimedPanel,
)

const VisitRecorder = lazyPart(
  async () => (await import('@/features/businesses/components/visit-recorder')).VisitRecorder,
  null,
)

/** The business page for all its URLs; `businessKey` identifies the business in them. */
export function BusinessScreen({ businessKey }: { businessKey: string }) {
  const query = useQuery(businessQuery(businessKey))
  const { pathname } = useLocation()
  const redirected = useStoredRedirect(pathname)
  usePageMeta({
    title: pageTitle(
      query.data
        ? `${query.data.name} · ${query.data.location}`
        : query.data === null
          ? messages.notFound
          : messages.businessPending,
    ),
    ...(query.data?.description && { description: query.data.description.slice(0, 200) }),
  })
  if (redirected !== null) return <Navigate to={redirected} replace />
  return (
    <QueryState
      query={query}
      errorTitle={messages.businessError}
      pending={<BusinessSkeleton />}
      isEmpty={(business) => business === null}
      empty={<BusinessMissing />}
    >
      {(business) => business && <BusinessPage business={business} />}
    </QueryState>
  )
}

function BusinessPage({ business }: { business: BusinessDetails }) {
  const location = useLocation()
  const navigate = useNavigate()
  const session = useSession()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const flow = useBusinessBooking(business)
  const { report, dialog: reportDialog } = useReport()
  const topCategory = topCodeOf(business.category_code ?? business.type, categories)
  const category = categories.find((one) => one.code === business.category_code)
  const { city } = business
  const now = new Date()
  // Without an owner nobody would answer a booking request (business_without_owner).
  const isBookable = business.owner_id !== null
  const signIn = () => {
    rememberReturn(location.pathname + location.search)
    void navigate(paths.auth)
  }
  const moved = movedTo(business, location.pathname)
  if (moved !== null) return <Navigate to={moved} replace />

  return (
    <div className={businessGrid}>
      <div className="grid gap-8 *:min-w-0 sm:gap-10">
        <div className="grid gap-5">
          <Breadcrumb
            crumbs={[
              { key: 'search', label: messages.search, to: paths.search() },
              ...(city
                ? [{ key: 'city', label: localName(city.name), to: paths.city(city.slug) }]
                : []),
              ...(category
                ? [
                    {
                      key: 'category',
                      label: localName(category.name),
                      to: city
                        ? paths.cityCategory(city.slug, category.code)
                        : paths.category(category.code),
                    },
                  ]
                : []),
              { key: 'here', label: business.name },
            ]}
          />
          <Gallery
            id={business.id}
            name={business.name}
            topCategory={topCategory}
            photos={photosOf(business)}
          />
          <Deferred isNear>
            <BusinessHeader
              business={business}
              now={now}
              actions={
                <>
                  {isBookable && (
                    // On phones the bar at the bottom has it, always visible.
                    <Button className="max-lg:hidden" onClick={() => flow.start()}>
                      {messages.bookNow}
                    </Button>
                  )}
                  {isBookable && (
                    <MessageLink
                      businessId={business.id}
                      isSignedOut={session.status === 'signed-out'}
                    />
                  )}
                  <Suspense fallback={<Skeleton className="h-11 w-32 rounded-control" />}>
                    <FavoriteButton
                      business={business}
                      userId={session.user?.id ?? null}
                      onSignIn={signIn}
                    />
                  </Suspense>
                </>
              }
            />
          </Deferred>
        </div>
        <Deferred isNear>
          <BusinessSections
            business={business}
            now={now}
            chosenService={flow.booking.service?.id ?? null}
            onBook={isBookable ? (service) => flow.start(service.id) : null}
            onReportReview={(id, author) =>
              report({ type: 'review', id, name: messages.reviewBy(author) })
            }
          />
        </Deferred>
        <Button
          variant="link"
          size="inline"
          className="justify-self-start text-muted"
          onClick={() => report({ type: 'business', id: business.id, name: business.name })}
        >
          {messages.reportBusiness}
        </Button>
      </div>
      {reportDialog}
      <Suspense>
        {session.status !== 'pending' && session.user?.id !== business.owner_id && (
          <VisitRecorder businessId={business.id} isBooked={flow.booking.done !== null} />
        )}
      </Suspense>
      {isBookable ? (
        <BusinessBooking flow={flow} businessName={business.name} />
      ) : (
        <aside className="lg:sticky lg:top-20">
          <Suspense>
            <UnclaimedPanel
              business={business}
              website={websiteOf(business.website)?.href ?? null}
              userId={session.user?.id ?? null}
              onSignIn={signIn}
            />
          </Suspense>
        </aside>
      )}
    </div>
  )
}

/** Starts a conversation; visitors sign in first and are then redirected to it (MSG-01, MSG-02). */
function MessageLink({ businessId, isSignedOut }: { businessId: string; isSignedOut: boolean }) {
  const conversation = paths.messages(businessId)
  return (
    <ButtonLink
      variant="outline"
      to={isSignedOut ? paths.auth : conversation}
      onClick={() => isSignedOut && rememberReturn(conversation)}
    >
      <MessageCircle className="size-5" strokeWidth={1.75} aria-hidden />
      {messages.message}
    </ButtonLink>
  )
}
