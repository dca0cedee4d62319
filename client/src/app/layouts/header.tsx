import { Suspense } from 'react'
import { Link, NavLink } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { Logo } from '@/components/logo'
import { ButtonLink } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { language } from '@/lib/language'
import { paths } from '@/lib/paths'
import { CategoriesMenu } from './categories-menu'
import { messages } from './messages'
import { MobileMenu } from './mobile-menu'
import { headerLinks, type NavLink as NavItem } from './nav-model'
import { ThemeToggle } from './theme-toggle'
import { useShellAccount } from './use-account'

// Visitors have no account, so they do not load the account's part of the header.
const AccountCorner = lazyPart(async () => (await import('./account-corner')).AccountCorner, null)

const itemClass =
  'inline-flex min-h-11 items-center gap-1 rounded-control px-3 text-base text-muted transition-colors hover:bg-sunken hover:text-ink'

/** The header of every page (NAV-01 to NAV-06). */
export function Header() {
  const account = useShellAccount()
  const { before, after } = headerLinks(account.role)
  return (
    <header lang={language} className="header-line sticky top-0 z-40 bg-ground">
      <div className="page flex h-16 items-center gap-2">
        <Link to={paths.home} className="reach me-3 flex rounded-chip" aria-label={messages.logo}>
          <Logo nameClassName="max-[22rem]:sr-only" />
        </Link>
        <nav aria-label={messages.main} className="flex items-center max-lg:hidden">
          <Items items={before} />
          <CategoriesMenu className={itemClass} />
          <Items items={after} />
        </nav>
        <div className="ms-auto flex items-center gap-1 sm:gap-2">
          {/* The footer has the theme switch, too; a window zoomed to 320 pixels has no room for
             both. */}
          <div className="max-[22rem]:hidden">
            <ThemeToggle />
          </div>
          {account.status === 'signed-in' && (
            <Suspense fallback={<CornerPlaceholder />}>
              <AccountCorner account={account} />
            </Suspense>
          )}
          {account.status === 'pending' && <CornerPlaceholder />}
          {account.status === 'signed-out' && (
            <>
              <ButtonLink
                variant="outline"
                to={paths.ownerSignUp}
                lang={messages.addBusinessLanguage}
                className="max-md:hidden"
              >
                {messages.addBusiness}
              </ButtonLink>
              <ButtonLink to={paths.auth}>{messages.signIn}</ButtonLink>
            </>
          )}
          <MobileMenu account={account} />
        </div>
      </div>
    </header>
  )
}

/** As wide as the notification bell and the avatar that replace it. */
function CornerPlaceholder() {
  return (
    <>
      <span className="size-11" aria-hidden />
      <span className="size-11 animate-pulse rounded-full bg-sunken" aria-hidden />
    </>
  )
}

function Items({ items }: { items: readonly NavItem[] }) {
  return items.map((item) => (
    <NavLink
      key={item.to}
      to={item.to}
      end
      className={({ isActive }) => cn(itemClass, isActive && 'text-ink')}
    >
      {item.label}
    </NavLink>
  ))
}
