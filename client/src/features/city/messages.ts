import { countText } from '@/lib/formats'
import { translated } from '@/lib/translated'

/** Texts of the city pages. */
export const messages = translated('city', {
  home: 'Home',
  pending: 'Loading city',
  error: 'This city could not be loaded',
  categoriesError: 'Its categories could not be loaded',
  recentError: 'The newest businesses could not be loaded',
  missing: 'City not found',
  missingText: 'Plaza does not know this place yet. These are the cities it serves.',
  businessesIn: (city: string) => `Businesses in ${city}`,
  categoryIn: (category: string, city: string) => `${category} in ${city}`,
  count: (count: number) => (count === 1 ? '1 business' : `${countText(count)} businesses`),
  categories: 'Categories',
  filters: 'Quick filters',
  openNow: 'Open now',
  freeToday: 'Free today',
  wellRated: 'Rated 4.5 or more',
  cheapest: 'Lowest prices',
  best: (city: string) => `Top rated in ${city}`,
  recent: 'Recently added',
  seeAll: (city: string) => `All businesses in ${city}`,
  noBusinesses: 'No Businesses Yet',
  noBusinessesText: (city: string) => `Be the first in ${city}: adding a business is free.`,
  addBusiness: 'Add Your Business',
  about: (city: string) => `About ${city}`,
  aboutText: (city: string, country: string) =>
    `${city} is one of the places Plaza serves in ${country}. Look around by category, compare ratings and book a time that suits you.`,
  localName: 'Local name',
  country: 'Country',
  localTime: 'Local time',
  listed: 'On Plaza',
  otherCategories: (city: string) => `Other categories in ${city}`,
  nearby: 'Nearby',
  away: (km: number) =>
    km < 9.95 ? `${km.toFixed(1)} km away` : `${countText(Math.round(km))} km away`,
  popular: (city: string) => `Popular in ${city}`,
  search: 'Search here',
  showing: (shown: number, total: number, page: number, pages: number) =>
    `Showing ${shown} of ${total} results (Page ${page} of ${pages})`,
  list: 'Businesses',
  listError: 'Error loading businesses',
  listPending: 'Loading businesses',
  noneInCategory: (category: string, city: string) => `No ${category} in ${city} yet`,
  noneInCategoryText: 'Have a look at the other categories, or at the next city.',
})
