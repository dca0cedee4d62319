import { translated } from '@/lib/translated'

export const messages = translated('businesses', {
  topRated: (city: string) => `Top Rated in ${city}`,
  topRatedPending: 'Loading top rated businesses',
  topRatedError: 'Error loading businesses',
  topRatedEmpty: (city: string) => `No Businesses Yet in ${city}`,
  topRatedEmptyText: 'Be the first: adding a business is free and takes five minutes.',
  addBusiness: 'Add Your Business',
  noHours: 'Hours not available',
  openAllDay: 'Open 24 hours',
  openUntil: (time: string) => `Open until ${time}`,
  opensAt: (time: string) => `Opens ${time}`,
  opensOn: (day: string, time: string) => `Opens ${day} ${time}`,
  closed: 'Closed',
  from: 'from',
  free: 'Free',
  promoted: 'Promoted',
  offers: 'Offers',
  phone: 'Phone',
  noneFree: 'No free times soon',
  nextFree: (day: string, time: string) => `Next: ${day}, ${time}`,
})
