import type { Page } from '@playwright/test'
import { newEmail, signUpByForm } from '../e2e/accounts'
import type { Cast, Role } from './cast'

export type Screen = {
  name: string
  path: string | ((cast: Cast) => string)
  /** Who views the screen; nobody signed in if omitted. */
  as?: Role
  /** Requests that fail, as if the network were down. */
  fails?: string
  /** Actions before the picture is taken. */
  act?: (page: Page) => Promise<void>
  /** Only the visible area: for dialogs, and for screens as high as the window. */
  isFold?: boolean
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).and(page.locator(':visible')).first().click()

const tabs = (name: string, as: Role, path: (tab: string, cast: Cast) => string, all: string[]) =>
  all.map((tab): Screen => ({ name: `${name}-${tab}`, as, path: (cast) => path(tab, cast) }))

const fixed = (path: string) => (tab: string) => `${path}?tab=${tab}`

const tool = (cast: Cast, part: string, business = cast.demo) =>
  `/dashboard?tab=businesses&business=${business}&part=${part}`

/** Every screen of the marketplace. Add an entry for a new one. */
export const screens: readonly Screen[] = [
  { name: 'home', path: '/' },
  { name: 'search', path: '/search?find_desc=hair&find_loc=Barcelona' },
  { name: 'search-all', path: '/search' },
  { name: 'search-service', path: '/search?find_desc=masaje+relajante' },
  { name: 'search-understood', path: '/search?find_desc=peluqeria+xyzzy', isFold: true },
  {
    name: 'search-set',
    path: '/search?find_loc=Barcelona&price_max=60&within=10&rating=3.5&sort=distance',
    isFold: true,
  },
  { name: 'search-map', path: '/search?find_loc=Barcelona&view=map', isFold: true },
  { name: 'search-none', path: '/search?find_desc=xyzzyqq' },
  { name: 'search-lift', path: '/search?find_desc=masaje&find_loc=Barcelona&price_min=5000' },
  { name: 'search-town', path: '/search?find_desc=masaje&find_loc=Girona' },
  { name: 'search-filters', path: '/search', isFold: true, act: press(/^(All )?filters/i) },
  { name: 'search-failed', path: '/search', fails: '**/rest/v1/rpc/**' },
  { name: 'search-advanced', path: '/search/advanced' },
  { name: 'category', path: '/category/beauty-salon' },
  { name: 'city', path: '/c/barcelona' },
  { name: 'city-category', path: '/c/barcelona/beauty-salon' },
  { name: 'categoria-ejemplo', path: '/categoria-ejemplo' },
  ...['about', 'help', 'contact', 'privacy', 'terms', 'plans', 'unsubscribe'].map(
    (name): Screen => ({ name, path: `/${name}` }),
  ),
  { name: 'not-found', path: '/no/such/page' },
  { name: 'offline', path: '/plans', fails: '**/{rest,functions}/v1/**' },
  { name: 'business', path: (cast) => `/business/${cast.demo}` },
  { name: 'business-bare', path: (cast) => `/business/${cast.bare}` },
  { name: 'business-big', path: (cast) => `/business/${cast.big}` },
  { name: 'business-missing', path: '/business/no-such-business' },
  { name: 'business-failed', path: (cast) => `/business/${cast.demo}`, fails: '**/rest/v1/**' },
  { name: 'business-unclaimed', as: 'user', path: (cast) => `/business/${cast.unclaimed}` },
  {
    name: 'claim',
    as: 'user',
    path: (cast) => `/business/${cast.unclaimed}`,
    act: press('Claim this business'),
    isFold: true,
  },
  {
    name: 'report',
    as: 'user',
    path: (cast) => `/business/${cast.demo}`,
    act: press('Report this business'),
    isFold: true,
  },

  { name: 'auth', path: '/auth' },
  { name: 'auth-register', path: '/auth?mode=register' },
  { name: 'auth-register-owner', path: '/auth?mode=register&role=owner' },
  {
    name: 'auth-errors',
    path: '/auth?mode=register',
    act: press('Create Account'),
  },
  {
    name: 'auth-confirm',
    path: '/auth?mode=register',
    act: async (page) => {
      await signUpByForm(page, newEmail('pictures'))
      await page.waitForURL(/mode=confirm/)
    },
  },
  { name: 'auth-forgot', path: '/auth?mode=forgot' },
  { name: 'auth-reset', path: '/auth?mode=reset' },
  { name: 'auth-reset-signed-in', as: 'newcomer', path: '/auth?mode=reset' },
  { name: 'auth-phone', path: '/auth?mode=phone' },
  {
    name: 'auth-phone-code',
    path: '/auth?mode=phone',
    act: async (page) => {
      const number = String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '0')
      await page.getByLabel('Phone number').fill(`6${number.slice(-8)}`)
      await page.getByRole('button', { name: 'Send Code' }).click()
      await page.waitForURL(/mode=phone-code/)
    },
  },
  { name: 'auth-second-factor', as: 'halfSignedIn', path: '/auth' },

  ...tabs('dashboard', 'user', fixed('/dashboard'), ['overview', 'bookings', 'favorites']),
  ...tabs('dashboard-new', 'newcomer', fixed('/dashboard'), ['overview', 'bookings', 'favorites']),
  ...tabs('dashboard-big', 'regular', fixed('/dashboard'), ['overview', 'bookings', 'favorites']),
  ...tabs('dashboard-owner', 'owner', fixed('/dashboard'), ['overview', 'businesses']),
  ...tabs('dashboard-admin', 'admin', fixed('/dashboard'), ['overview', 'admin']),
  { name: 'dashboard-businesses-none', as: 'newOwner', path: '/dashboard?tab=businesses' },
  ...tabs('metrics', 'owner', (view, cast) => `${tool(cast, 'metrics')}&view=${view}`, [
    'overview',
    'engagement',
    'communication',
    'advertising',
    'trends',
  ]),
  ...tabs('analytics', 'owner', (view, cast) => `${tool(cast, 'analytics')}&view=${view}`, [
    'overview',
    'bookings',
    'revenue',
    'services',
  ]),
  ...tabs('tools', 'owner', (part, cast) => tool(cast, part), ['availability', 'reviews']),
  ...tabs('tools-big', 'bigOwner', (part, cast) => tool(cast, part, cast.big), [
    'metrics',
    'analytics',
    'availability',
    'reviews',
  ]),
  { name: 'my-businesses', as: 'owner', path: '/my-businesses' },
  { name: 'my-businesses-none', as: 'newOwner', path: '/my-businesses' },
  { name: 'my-businesses-big', as: 'bigOwner', path: '/my-businesses' },
  { name: 'my-businesses-failed', as: 'owner', path: '/my-businesses', fails: '**/rest/v1/businesses**' },
  { name: 'business-new', as: 'newOwner', path: '/business/new' },
  { name: 'business-new-refused', as: 'newcomer', path: '/business/new' },
  ...tabs('edit', 'owner', (tab, cast) => `/business/edit/${cast.demo}?tab=${tab}`, [
    'details',
    'services',
    'photos',
    'hours',
    'amenities',
  ]),
  ...tabs('edit-big', 'bigOwner', (tab, cast) => `/business/edit/${cast.big}?tab=${tab}`, [
    'details',
    'services',
    'photos',
  ]),
  ...tabs('inbox', 'owner', (view, cast) => `/business/${cast.demo}/bookings?view=${view}`, [
    'list',
    'day',
    'week',
    'month',
  ]),
  ...tabs('inbox-big', 'bigOwner', (view, cast) => `/business/${cast.big}/bookings?view=${view}`, [
    'list',
    'day',
    'week',
    'month',
  ]),
  {
    name: 'inbox-add',
    as: 'owner',
    path: (cast) => `/business/${cast.demo}/bookings`,
    act: press('Add booking'),
    isFold: true,
  },
  {
    name: 'inbox-decline',
    as: 'bigOwner',
    path: (cast) => `/business/${cast.big}/bookings?show=pending`,
    act: press(/^Decline/),
    isFold: true,
  },
  {
    name: 'inbox-sheet',
    as: 'bigOwner',
    path: (cast) => `/business/${cast.big}/bookings`,
    act: (page) => page.locator('main a[href*="booking="]:visible').first().click(),
    isFold: true,
  },

  ...tabs('bookings', 'user', (view) => `/bookings?view=${view}`, ['upcoming', 'past']),
  ...tabs('bookings-new', 'newcomer', (view) => `/bookings?view=${view}`, ['upcoming', 'past']),
  ...tabs('bookings-big', 'regular', (view) => `/bookings?view=${view}`, ['upcoming', 'past']),
  { name: 'bookings-failed', as: 'user', path: '/bookings', fails: '**/rest/v1/bookings**' },
  { name: 'bookings-move', as: 'regular', path: '/bookings', act: press(/^Change time/), isFold: true },
  { name: 'bookings-cancel', as: 'regular', path: '/bookings', act: press(/^cancel/i), isFold: true },
  { name: 'bookings-review', as: 'user', path: '/bookings?view=past', act: press(/review/i), isFold: true },
  { name: 'messages', as: 'user', path: '/messages', isFold: true },
  { name: 'messages-none', as: 'newcomer', path: '/messages', isFold: true },
  {
    name: 'messages-one',
    as: 'regular',
    path: (cast) => `/messages?conversation=${cast.conversation}`,
    isFold: true,
  },
  {
    name: 'messages-first',
    as: 'newcomer',
    path: (cast) => `/messages?business=${cast.demo}`,
    isFold: true,
  },
  { name: 'messages-failed', as: 'user', path: '/messages', fails: '**/rest/v1/rpc/**' },
  { name: 'notifications', as: 'user', path: '/notifications' },
  { name: 'notifications-none', as: 'newcomer', path: '/notifications' },
  { name: 'notifications-owner', as: 'bigOwner', path: '/notifications' },
  { name: 'notifications-big', as: 'regular', path: '/notifications' },
  ...tabs('profile', 'owner', fixed('/profile'), ['profile', 'account', 'notifications', 'security']),
  { name: 'account-menu', as: 'owner', path: '/about', act: press(/account/i), isFold: true },
  ...tabs('security', 'user', fixed('/security'), ['overview', 'two-factor', 'sessions', 'activity']),
  { name: 'plans-owner', as: 'owner', path: '/plans' },
  { name: 'become-seller', as: 'newcomer', path: '/become-seller' },
  { name: 'become-seller-pending', as: 'applicant', path: '/become-seller' },
  { name: 'become-seller-rejected', as: 'rejected', path: '/become-seller' },
  { name: 'become-seller-approved', as: 'newOwner', path: '/become-seller' },
  { name: 'support', as: 'user', path: '/contact' },
  ...tabs('admin', 'admin', fixed('/admin'), [
    'businesses',
    'users',
    'categories',
    'locations',
    'test-users',
    'test-tools',
    'support',
  ]),
  {
    name: 'admin-clear-all',
    as: 'admin',
    path: '/admin?tab=test-tools',
    isFold: true,
    act: press('Clear all data'),
  },
  { name: 'admin-refused', as: 'user', path: '/admin' },
  { name: 'admin-failed', as: 'admin', path: '/admin', fails: '**/rest/v1/**' },
]
