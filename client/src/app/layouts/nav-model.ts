import { paths } from '@/lib/paths'
import type { Role } from '@/lib/role'

export type NavLink = { label: string; to: string }

type Gated = NavLink & { only?: Role }

// Menus show 'My Businesses' only to owners (NAV-02, C-04); admins may open its page, too.
const before: readonly Gated[] = [{ label: 'Home', to: paths.home }]
const after: readonly Gated[] = [
  { label: 'My Businesses', to: paths.myBusinesses, only: 'owner' },
  { label: 'Admin', to: paths.admin, only: 'admin' },
  { label: 'About', to: paths.about },
]
const account: readonly Gated[] = [
  { label: 'Dashboard', to: paths.dashboard },
  { label: 'My Bookings', to: paths.bookings },
  { label: 'My Businesses', to: paths.myBusinesses, only: 'owner' },
  { label: 'Admin Dashboard', to: paths.adminDashboard, only: 'admin' },
  { label: 'User Management', to: paths.adminUsers, only: 'admin' },
  { label: 'Settings', to: paths.profile },
]

function visible(links: readonly Gated[], role: Role | null): NavLink[] {
  return links.filter((link) => link.only === undefined || link.only === role)
}

/** The header's links: those before the Categories menu and those after it (NAV-01 to 03). */
export function headerLinks(role: Role | null): { before: NavLink[]; after: NavLink[] } {
  return { before: visible(before, role), after: visible(after, role) }
}

/** The account menu above 'Log out' (NAV-04). */
export function accountLinks(role: Role): NavLink[] {
  return visible(account, role)
}

/** The footer's columns (NAV-07) and its legal line (NAV-08). */
export const footerColumns: readonly { title: string; links: readonly NavLink[] }[] = [
  {
    title: 'Discover',
    links: [
      { label: 'All businesses', to: paths.search() },
      { label: 'Advanced search', to: paths.advancedSearch },
      { label: 'Home', to: paths.home },
    ],
  },
  {
    title: 'For Business',
    links: [
      { label: 'Add your business', to: paths.ownerSignUp },
      { label: 'Become a seller', to: paths.becomeSeller },
      { label: 'Plans', to: paths.plans },
      { label: 'My Businesses', to: paths.myBusinesses },
    ],
  },
  {
    title: 'Support',
    links: [
      { label: 'Help', to: paths.help },
      { label: 'Contact', to: paths.contact },
      { label: 'About Plaza', to: paths.about },
    ],
  },
]

export const legalLinks: readonly NavLink[] = [
  { label: 'Privacy', to: paths.privacy },
  { label: 'Terms', to: paths.terms },
]
