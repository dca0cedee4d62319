import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Avatar } from '@/components/ui/avatar'
import { Menu } from '@/components/ui/menu'
import { showToast } from '@/components/ui/toast'
import { signOut } from '@/features/auth/api/sign-out'
import { paths } from '@/lib/paths'
import { accountLinks } from './nav-model'
import type { ShellAccount } from './use-account'

type SignedIn = Extract<ShellAccount, { status: 'signed-in' }>

/** Signing out: the session ends, what was loaded for it is forgotten, home opens. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      // Left first: a page that needs somebody signed in would send to sign-in.
      await navigate(paths.home)
      await signOut()
      client.clear()
      showToast({ title: 'Signed Out', tone: 'success' })
    } catch {
      showToast({
        title: 'Sign Out Error',
        text: 'Unable to sign out. Please try again.',
        tone: 'danger',
      })
    }
  }
}

/** The menu behind one's own face (NAV-04). */
export function AccountMenu({ account }: { account: SignedIn }) {
  const handleSignOut = useSignOut()
  return (
    <Menu
      label="Account"
      trigger={(props) => (
        <button {...props} className="hit inline-flex items-center justify-center rounded-full">
          <Avatar name={account.name} src={account.avatarUrl} />
          <span className="sr-only">Account of {account.name}</span>
        </button>
      )}
      header={
        <div className="px-3 pt-2 pb-3">
          <p className="truncate font-semibold">{account.name}</p>
          {account.email !== account.name && (
            <p className="truncate text-sm text-muted">{account.email}</p>
          )}
        </div>
      }
      groups={[
        accountLinks(account.role).map(({ label, to }) => ({ key: label, label, to })),
        [{ key: 'log-out', label: 'Log out', onSelect: () => void handleSignOut() }],
      ]}
    />
  )
}
