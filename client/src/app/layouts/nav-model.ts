import { paths } from '@/lib/paths'
import type { Role } from '@/lib/role'
import { messages } from './messages'

export type NavLink = { label: string; to: string }

type Gated = NavLink & { only?: Role }

// Menus show 'My Businesses' only to owners (NAV-02, C-04); admins may open its page, too.
const before: readonly Gated[] = [{ label: messages.home, to: paths.home }]
const after: readonly Gated[] = [
  { label: messages.myBusinesses, to: paths.myBusinesses, only: 'owner' },
  { label: 'Admin', to: paths.admin, only: 'admin' },
  { label: messages.about, to: paths.about },
]
const account: readonly Gated[] = [
  { label: messages.dashboard, to: paths.dashboard },
  { label: messages.bookings, to: paths.bookings },
  { label: messages.myBusinesses, to: paths.myBusinesses, only: 'owner' },
  { label: 'Admin Dashboard', to: paths.adminDashboard, only: 'admin' },
  { label: 'User Management', to: paths.adminUsers, only: 'admin' },
  { label: messages.settings, to: paths.profile },
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
    title: messages.discover,
    links: [
      { label: messages.allBusinesses, to: paths.search() },
      { label: messages.advancedSearch, to: paths.advancedSearch },
      { label: messages.home, to: paths.home },
    ],
  },
  {
    title: messages.forBusiness,
    links: [
      { label: messages.addYourBusiness, to: paths.ownerSignUp },
      { label: messages.becomeSeller, to: paths.becomeSeller },
      { label: messages.plans, to: paths.plans },
      { label: messages.myBusinesses, to: paths.myBusinesses },
    ],
  },
  {
    title: messages.support,
    links: [
      { label: messages.help, to: paths.help },
      { label: messages.contact, to: paths.contact },
      { label: messages.aboutPlaza, to: paths.about },
    ],
  },
]

export const legalLinks: readonly NavLink[] = [
  { label: messages.privacy, to: paths.privacy },
  { label: messages.terms, to: paths.terms },
]
