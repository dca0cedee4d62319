import type { Account } from '@/features/auth/api/queries'
import { paths } from '@/lib/paths'

/**
 * Where a user goes after signing in: to the form for a business, if that was pressed; back to the
 * page that sign-in interrupted; to the seller application, after signing up to sell (S-01);
 * otherwise to the dashboard (AUTH-05).
 */
export function landingPath({
  stored,
  account,
  offersBusiness = false,
}: {
  stored: string | null
  account: Account | null
  /** The URL says that the user wants to list a business. */
  offersBusiness?: boolean
}): string {
  if (offersBusiness && account) {
    return account.role === 'user' ? paths.becomeSeller : paths.businessNew
  }
  if (stored !== null) return stored
  const isSeller = account?.wantsToSell === true && account.role === 'user'
  return isSeller ? paths.becomeSeller : paths.dashboard
}
