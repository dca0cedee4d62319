import { matchRoutes } from 'react-router'
import type { Account } from '@/features/auth/api/queries'
import { paths } from '@/lib/paths'
import { router } from './router'

/** Whether an address leads to a screen of its own. */
export function isScreen(path: string): boolean {
  const [pathname = ''] = path.split(/[?#]/)
  const match = matchRoutes(router.routes, pathname)?.at(-1)
  return match !== undefined && match.route.path !== '*'
}

/**
 * Where somebody goes after signing in: back to the page that sign-in interrupted;
 * who signed up to sell, to the application (S-01); else to the dashboard (AUTH-05).
 */
export function landing(
  { stored, account }: { stored: string | null; account: Account | null },
  exists: (path: string) => boolean = isScreen,
): string {
  if (stored !== null) return stored
  const isSeller = account?.wantsToSell === true && account.role === 'user'
  const wanted = [...(isSeller ? [paths.becomeSeller] : []), paths.dashboard]
  return wanted.find(exists) ?? paths.bookings
}
