import { numbersOf } from './numbers'
import type { Translations } from './translations'

const { counted } = numbersOf('en-GB')

/** English texts of home, which is written in Spanish (UI-01). */
const texts: Pick<Translations, 'home' | 'homeCategories' | 'directory' | 'near'> = {
  home: {
    whatWords: {
      suggestions: 'Suggestions',
      service: 'Service',
      recent: 'Recent searches, Delete removes one',
      clearRecent: 'Clear recent searches',
    },
    placeWords: {
      lang: 'en',
      businesses: (count) => counted(count, 'business', 'businesses'),
    },
    title: 'Plaza: local services in Spain and Andorra',
    description:
      'Find the best services near you and book in a minute with businesses of your neighbourhood.',
    hero: 'Find the best services near you',
    heroText:
      'Hairdressers, garages, clinics, restaurants. Book in a minute with businesses of your neighbourhood.',
    categories: 'Popular categories',
    cities: 'Popular cities',
    ownerTitle: 'Do you have a business?',
    ownerText:
      'Put it on the square: a page with your services, hours and photos, and bookings that come by themselves.',
    addBusiness: 'Add a business',
  },
  homeCategories: {
    active: 'Sports',
    arts: 'Arts & leisure',
    auto: 'Cars',
    beautysvc: 'Beauty',
    education: 'Education',
    eventservices: 'Events',
    financialservices: 'Finance',
    food: 'Food',
    health: 'Health',
    homeservices: 'Home',
    hotelstravel: 'Hotels',
    localservices: 'Services',
    massmedia: 'Media',
    nightlife: 'Nightlife',
    pets: 'Pets',
    professional: 'Professionals',
    publicservices: 'Public services',
    realestate: 'Real estate',
    religiousorgs: 'Worship',
    restaurants: 'Restaurants',
    shopping: 'Shopping',
  },
  directory: {
    what: 'What',
    whatPlaceholder: 'Haircut',
    where: 'Where',
    whereSuggestions: 'Places',
    submit: 'Search',
    formLabel: 'Search businesses',
    categoriesTitle: 'Popular categories',
    categoriesPending: 'Loading categories',
    categoriesError: 'The categories could not be loaded',
    categoriesErrorText: 'Something failed on our side. The search still works.',
    retry: 'Try again',
  },
  near: {
    change: 'Change city',
    near: 'Near',
    notYet: (city, shown) => `We are not in ${city} yet; you see ${shown}.`,
  },
}

globalThis.plazaTexts = texts
