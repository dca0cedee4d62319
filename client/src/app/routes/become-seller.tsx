import { useShellAccount } from '@/app/layouts/use-account'
import { PageHeader } from '@/components/page-header'
import { topCategories } from '@/features/directory/model/categories'
import { ApplicationPanel } from '@/features/seller/components/application-panel'
import { messages } from '@/features/seller/messages'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { hasRole } from '@/lib/role'
import { useSellerApproval } from './use-seller-approval'

const types = topCategories.map(({ name }) => name)

/** The application to become a seller (ROUTE-27, SELLER-01 to SELLER-07). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  const account = useShellAccount()
  const userId = account.status === 'signed-in' ? account.userId : ''
  useSellerApproval(userId, account.role)
  if (account.status !== 'signed-in') return null
  return (
    <div className="page max-w-[52rem] pb-16">
      <PageHeader title={messages.title} text={messages.intro} />
      <ApplicationPanel userId={userId} isSeller={hasRole(account.role, 'owner')} types={types} />
    </div>
  )
}
