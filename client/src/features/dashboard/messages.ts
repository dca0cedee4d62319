/** Texts of the dashboard's frame; its parts have their own (DASH-01, DASH-02). */
export const messages = {
  title: 'Dashboard',
  welcome: (name: string) => `Welcome back, ${name}`,
  tabs: 'Parts of the dashboard',
  tab: {
    overview: 'Overview',
    bookings: 'Bookings',
    favorites: 'Favorites',
    businesses: 'My Businesses',
    admin: 'Admin',
  },
  favorites: 'My Favorites',
} as const
