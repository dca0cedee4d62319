/** What follows the first view of a search, in one file. */
export const extras = () => import('./extras')
