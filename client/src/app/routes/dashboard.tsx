import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useShellAccount } from '@/app/layouts/use-account'
import { PageHeader } from '@/components/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { TabRail } from '@/components/ui/tab-rail'
import { OverviewCard } from '@/features/admin/components/overview-card'
import { messages } from '@/features/dashboard/messages'
import { readTab, tabsFor } from '@/features/dashboard/model/tab'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { BookingViews } from './booking-views'
import { FavoritesTab, Overview } from './dashboard-overview'
import { useDashboardCounts } from './use-dashboard-counts'
import { useSellerApproval } from './use-seller-approval'

// Few have businesses, and their tools are many.
const BusinessesTab = lazy(async () => ({
  default: (await import('./dashboard-businesses')).BusinessesTab,
}))

/** What concerns oneself, at a glance (DASH-01 to DASH-13). */
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
    businesses: (
      <Suspense fallback={<Skeleton className="h-96 rounded-panel" />}>
        <BusinessesTab userId={userId} />
      </Suspense>
    ),
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
          content: content[key],
        }))}
      />
    </div>
  )
}
