import { createBrowserRouter, redirect } from 'react-router'
import { paths } from '@/lib/paths'
import { PageError } from './layouts/page-error'
import { PageFallback } from './layouts/page-fallback'
import { Shell } from './layouts/shell'

// The gallery of components is for those who build them; production builds leave it out.
const devRoutes = import.meta.env.DEV
  ? [{ path: '/dev', lazy: () => import('./routes/dev-gallery') }]
  : []

// The router keeps how far a page was scrolled by the key of its entry in the history, and names the
// entry of each page that is loaded whole "default": one would open where another was left.
if (window.history.state === null) {
  window.history.replaceState({ key: String(Date.now()) }, '')
}

/**
 * Every address of the client. Each screen is a module of its own, loaded when it
 * is visited; it exports `Component` and, where data is needed, `loader`.
 */
export const router = createBrowserRouter([
  {
    Component: Shell,
    HydrateFallback: PageFallback,
    children: [
      {
        ErrorBoundary: PageError,
        children: [
          { path: '/', lazy: () => import('./routes/home') },
          { path: '/about', lazy: () => import('./routes/about') },
          { path: '/help', lazy: () => import('./routes/help') },
          { path: '/contact', lazy: () => import('./routes/contact') },
          { path: '/privacy', lazy: () => import('./routes/privacy') },
          { path: '/terms', lazy: () => import('./routes/terms') },
          { path: '/categoria-ejemplo', lazy: () => import('./routes/categoria-ejemplo') },
          { path: '/search', lazy: () => import('./routes/search') },
          { path: '/search/advanced', lazy: () => import('./routes/search-advanced') },
          { path: '/search/:location', lazy: () => import('./routes/search') },
          { path: '/search/:location/:category', lazy: () => import('./routes/search') },
          { path: '/category/:slug', lazy: () => import('./routes/category') },
          { path: '/business/:id', lazy: () => import('./routes/business') },
          { path: '/biz/:id', lazy: () => import('./routes/business') },
          {
            path: '/:location/:category/:businessId/:slug',
            lazy: () => import('./routes/business-address'),
          },
          { path: '/c/:city', lazy: () => import('./routes/city') },
          { path: '/c/:city/:category', lazy: () => import('./routes/city-category') },
          { path: '/plans', lazy: () => import('./routes/plans') },
          { path: '/auth', lazy: () => import('./routes/auth') },
          { path: '/auth/callback', lazy: () => import('./routes/auth-callback') },
          { path: '/unsubscribe', lazy: () => import('./routes/unsubscribe') },
          {
            lazy: () => import('./layouts/signed-in'),
            children: [
              { path: '/dashboard', lazy: () => import('./routes/dashboard') },
              { path: '/become-seller', lazy: () => import('./routes/become-seller') },
              { path: '/my-businesses', lazy: () => import('./routes/my-businesses') },
              { path: '/business/edit/:id', lazy: () => import('./routes/business-edit') },
              { path: '/business/:id/edit', lazy: () => import('./routes/business-edit') },
              { path: '/bookings', lazy: () => import('./routes/bookings') },
              { path: '/messages', lazy: () => import('./routes/messages') },
              { path: '/notifications', lazy: () => import('./routes/notifications') },
              { path: '/profile', lazy: () => import('./routes/profile') },
              { path: '/security', lazy: () => import('./routes/security') },
            ],
          },
          {
            lazy: () => import('./layouts/owner-only'),
            children: [
              { path: paths.businessNew, lazy: () => import('./routes/business-new') },
              { path: '/business/:id/bookings', lazy: () => import('./routes/business-bookings') },
            ],
          },
          // Linked from menus under addresses of their own (ROUTE-34, C-18).
          { path: paths.adminDashboard, loader: () => redirect(paths.admin) },
          { path: paths.adminUsers, loader: () => redirect(paths.adminTab('users')) },
          {
            lazy: () => import('./layouts/admin-only'),
            children: [{ path: paths.admin, lazy: () => import('./routes/admin') }],
          },
          ...devRoutes,
          { path: '*', lazy: () => import('./routes/not-found') },
        ],
      },
    ],
  },
])
