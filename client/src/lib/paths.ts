import { homeLanguage } from './language'

/** Search terms; unset terms do not appear in the URL. */
export type SearchTerms = {
  findDesc?: string | undefined
  findLoc?: string | undefined
  category?: string | undefined
  page?: number | undefined
  /** The minimum rating of a result. */
  rating?: number | undefined
  /** Names of amenities a result must offer. */
  amenities?: readonly string[] | undefined
  open?: boolean | undefined
  on?: string | undefined
  priceMin?: number | undefined
  priceMax?: number | undefined
  within?: number | undefined
  near?: string | undefined
  bounds?: string | undefined
  sort?: string | undefined
  view?: string | undefined
}

/** The terms in the order of the URL, with their parameter names if these differ. */
const termNames = [
  ['findDesc', 'find_desc'],
  ['findLoc', 'find_loc'],
  ['category'],
  ['rating'],
  ['amenities'],
  ['open'],
  ['on'],
  ['priceMin', 'price_min'],
  ['priceMax', 'price_max'],
  ['within'],
  ['near'],
  ['bounds'],
  ['sort'],
  ['view'],
] as const

function search(terms: SearchTerms = {}): string {
  const params = new URLSearchParams()
  for (const [term, name = term] of termNames) {
    const value = terms[term] || ''
    const text = value === true ? '1' : String(value).trim()
    if (text !== '') params.set(name, text)
  }
  if (terms.page !== undefined && terms.page > 1) params.set('page', String(terms.page))
  const query = params.toString()
  return query === '' ? '/search' : `/search?${query}`
}

const segment = encodeURIComponent

/** All URLs of the client, so that renaming one breaks the build. */
export const paths = {
  home: homeLanguage === 'en' ? '/en' : '/',
  auth: '/auth',
  ownerSignUp: '/auth?mode=register&role=owner',
  authCallback: '/auth/callback',
  resetPassword: '/auth?mode=reset',
  search,
  advancedSearch: '/search/advanced',
  category: (slug: string) => `/category/${segment(slug)}`,
  city: (slug: string) => `/c/${segment(slug)}`,
  cityCategory: (city: string, category: string) => `/c/${segment(city)}/${segment(category)}`,
  business: (id: string) => `/business/${segment(id)}`,
  businessEdit: (id: string, tab?: string) =>
    `/business/edit/${segment(id)}${tab === undefined ? '' : `?tab=${segment(tab)}`}`,
  /** The bookings of a business, for its owner or an admin. */
  businessBookings: (id: string) => `/business/${segment(id)}/bookings`,
  businessNew: '/business/new',
  dashboard: '/dashboard',
  dashboardTab: (tab: string) => `/dashboard?tab=${segment(tab)}`,
  bookings: '/bookings',
  myBusinesses: '/my-businesses',
  notifications: '/notifications',
  profile: '/profile',
  profileNotifications: '/profile?tab=notifications',
  security: '/security',
  becomeSeller: '/become-seller',
  plans: '/plans',
  allMessages: '/messages',
  conversation: (id: string) => `/messages?conversation=${segment(id)}`,
  messages: (businessId: string) => `/messages?business=${segment(businessId)}`,
  admin: '/admin',
  adminTab: (tab: string) => `/admin?tab=${segment(tab)}`,
  adminDashboard: '/admin/dashboard',
  adminUsers: '/admin/users',
  debugAdmin: '/debug-admin',
  about: '/about',
  help: '/help',
  contact: '/contact',
  privacy: '/privacy',
  terms: '/terms',
} as const
