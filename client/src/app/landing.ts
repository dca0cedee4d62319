import type { Account } from '@/features/auth/api/queries'
import { paths } from '@/lib/paths'

/**
 * Where somebody goes after signing in: to the form of a business, if that was pressed; back to the
 * page that sign-in interrupted; who signed up to sell, to the application (S-01); else to the
 * dashboard (AUTH-05).
 */
export function landing({
  stored,
  account,
  offersBusiness = false,
}: {
  stored: string | null
  account: Account | null
  /** The address says that a business is offered. */
  offersBusiness?: boolean
}): string {
  if (offersBusiness && account) {
    return account.role === 'user' ? paths.becomeSeller : paths.businessNew
  }
  if (stored !== null) return stored
  const isSeller = account?.wantsToSell === true && account.role === 'user'
  return isSeller ? paths.becomeSeller : paths.dashboard
}
