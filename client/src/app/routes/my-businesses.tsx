import { useQuery } from '@tanstack/react-query'
import { useShellAccount } from '@/app/layouts/use-account'
import { PageHeader } from '@/components/page-header'
import { categoriesQuery } from '@/features/directory/api/queries'
import { topCodeOf } from '@/features/directory/model/categories'
import { ownBusinessesQuery } from '@/features/owner/api/queries'
import { BusinessAllowance } from '@/features/owner/components/business-allowance'
import { OwnList } from '@/features/owner/components/own-list'
import { messages } from '@/features/owner/messages'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { usePlanLimits } from './use-plan-limits'

/** The user's own businesses (ROUTE-23, OWNER-01, OWNER-02). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.listTitle) })
  const account = useShellAccount()
  const { data: categories = [] } = useQuery(categoriesQuery)
  if (account.status !== 'signed-in') return null
  const { userId, role } = account
  return (
    <div className="page pb-16">
      <PageHeader title={messages.listTitle} />
      {role !== 'user' && <Allowance userId={userId} isAdmin={role === 'admin'} />}
      <OwnList userId={userId} topCategoryOf={(code) => topCodeOf(code, categories)} />
    </div>
  )
}

function Allowance({ userId, isAdmin }: { userId: string; isAdmin: boolean }) {
  const { data: businesses } = useQuery(ownBusinessesQuery(userId))
  const { isPending, limits, has } = usePlanLimits(userId, isAdmin)
  if (isPending || businesses === undefined) return <div className="mb-6 min-h-11" />
  return (
    <BusinessAllowance
      used={businesses.length}
      allowed={limits.businesses}
      isForSeveral={has('multiple_businesses')}
      plansHref={paths.plans}
    />
  )
}
