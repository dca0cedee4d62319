import { Avatar } from '@/components/ui/avatar'
import { Menu } from '@/components/ui/menu'
import { messages } from './messages'
import { accountLinks } from './nav-model'
import type { SignedInAccount } from './use-account'
import { useSignOut } from './use-sign-out'

/** The menu behind the user's avatar (NAV-04). */
export function AccountMenu({ account }: { account: SignedInAccount }) {
  const handleSignOut = useSignOut()
  return (
    <Menu
      label={messages.account}
      trigger={(props) => (
        <button {...props} className="hit inline-flex items-center justify-center rounded-full">
          <Avatar name={account.name} src={account.avatarUrl} />
          <span className="sr-only">{messages.accountOf(account.name)}</span>
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
        [{ key: 'log-out', label: messages.logOut, onSelect: () => void handleSignOut() }],
      ]}
    />
  )
}
