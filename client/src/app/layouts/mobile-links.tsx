import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { topCategories } from '@/features/directory/model/categories'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { messages } from './messages'
import { accountLinks, headerLinks, type NavLink } from './nav-model'
import type { ShellAccount } from './use-account'
import { useSignOut } from './use-sign-out'

/** The menu's content on narrow screens (NAV-06). */
export function MobileLinks({
  account,
  onFollow,
}: {
  account: ShellAccount
  onFollow: () => void
}) {
  const handleSignOut = useSignOut()
  const { before, after } = headerLinks(account.role)
  return (
    <nav aria-label={messages.mobile} className="page grid gap-1 pt-2">
      <Links links={before} onFollow={onFollow} />
      <details className="group">
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between font-semibold">
          {messages.categories}
          <span aria-hidden className="text-xl text-muted group-open:rotate-45">
            +
          </span>
        </summary>
        <ul className="grid grid-cols-2 gap-x-4 pb-3">
          {topCategories.map((category) => (
            <Item key={category.code} to={paths.category(category.code)} onFollow={onFollow}>
              <span className="text-sm font-normal">{localName(category.name)}</span>
            </Item>
          ))}
        </ul>
      </details>
      <Links links={after} onFollow={onFollow} />
      {account.status === 'signed-in' ? (
        <div className="mt-2 border-line border-t pt-2">
          <Links
            links={[
              ...accountLinks(account.role),
              { label: messages.notifications, to: paths.notifications },
            ]}
            onFollow={onFollow}
          />
          <button
            type="button"
            className="flex min-h-12 w-full items-center font-semibold"
            onClick={() => {
              onFollow()
              void handleSignOut()
            }}
          >
            {messages.logOut}
          </button>
        </div>
      ) : (
        <Links links={[{ label: messages.signIn, to: paths.auth }]} onFollow={onFollow} />
      )}
      <Link
        to={paths.ownerSignUp}
        lang={messages.addBusinessLanguage}
        className="flex min-h-12 items-center font-semibold text-primary"
        onClick={onFollow}
      >
        {messages.addBusiness}
      </Link>
    </nav>
  )
}

function Links({ links, onFollow }: { links: readonly NavLink[]; onFollow: () => void }) {
  return (
    <ul>
      {links.map((link) => (
        <Item key={link.to} to={link.to} onFollow={onFollow}>
          {link.label}
        </Item>
      ))}
    </ul>
  )
}

function Item({
  to,
  onFollow,
  children,
}: {
  to: string
  onFollow: () => void
  children: ReactNode
}) {
  return (
    <li>
      <Link to={to} className="flex min-h-12 items-center font-semibold" onClick={onFollow}>
        {children}
      </Link>
    </li>
  )
}
