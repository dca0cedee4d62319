import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useShellAccount } from '@/app/layouts/use-account'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader } from '@/components/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { TabRail } from '@/components/ui/tab-rail'
import { messages } from '@/features/dashboard/messages'
import { readTab, tabsFor } from '@/features/dashboard/model/tab'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { useDashboardCounts } from './use-dashboard-counts'
import { useSellerApproval } from './use-seller-approval'

// Each tab is loaded when it is opened; header and tab bar render without them.
const Overview = lazyPart(async () => (await import('./dashboard-overview')).Overview)
const FavoritesTab = lazyPart(async () => (await import('./dashboard-overview')).FavoritesTab)
const BookingViews = lazyPart(async () => (await import('./booking-views')).BookingViews)
const OverviewCard = lazyPart(
  async () => (await import('@/features/admin/components/overview-card')).OverviewCard,
)
const BusinessesTab = lazyPart(async () => (await import('./dashboard-businesses')).BusinessesTab)

const waiting = <Skeleton className="h-dvh rounded-panel" />

/** The user's dashboard (DASH-01 to DASH-13). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  const [params, setParams] = useSearchParams()
  const account = useShellAccount()
  const userId = account.status === 'signed-in' ? account.userId : ''
  const counts = useDashboardCounts(userId)
  useSellerApproval(userId, account.role)
  if (account.status !== 'signed-in') return null
  const { role, name } = account
  const content = {
    overview: <Overview userId={userId} role={role} />,
    bookings: <BookingViews userId={userId} />,
    favorites: <FavoritesTab userId={userId} />,
    businesses: <BusinessesTab userId={userId} />,
    admin: <OverviewCard />,
  }
  return (
    <div className="page pb-16">
      <PageHeader title={messages.title} text={messages.welcome(name)} />
      <TabRail
        label={messages.tabs}
        value={readTab(params, role)}
        onChange={(tab) =>
          setParams(tab === 'overview' ? {} : { tab }, { preventScrollReset: true })
        }
        tabs={tabsFor(role).map((key) => ({
          key,
          label: messages.tab[key],
          badge: key === 'bookings' || key === 'favorites' ? counts[key] : undefined,
          content: <Suspense fallback={waiting}>{content[key]}</Suspense>,
        }))}
      />
    </div>
  )
}
