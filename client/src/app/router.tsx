import { createBrowserRouter, redirect } from 'react-router'
import { languagePath } from '@/lib/language'
import { paths } from '@/lib/paths'
import { withMoreTexts } from '@/lib/translated'
import { PageError } from './layouts/page-error'
import { PageFallback } from './layouts/page-fallback'
import { Shell } from './layouts/shell'

// The component gallery is for developers; production builds omit it.
const devRoutes = import.meta.env.DEV
  ? [{ path: '/dev', lazy: () => import('./routes/dev-gallery') }]
  : []

// The router stores scroll positions by the key of the history entry, and the entry of each full
// page load has the key "default": one page would open at another page's position.
if (window.history.state === null) {
  window.history.replaceState({ key: String(Date.now()) }, '')
}

/**
 * All routes of the client. Each screen is a separate module, loaded when it is visited. It exports
 * `Component` and, if it needs data, `loader`.
 */
export const router = createBrowserRouter(
  [
    {
      Component: Shell,
      HydrateFallback: PageFallback,
      children: [
        {
          ErrorBoundary: PageError,
          children: [
            { path: '/', lazy: () => import('./routes/home') },
            { path: '/en', lazy: () => import('./routes/home') },
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
            { path: '/plans', lazy: () => withMoreTexts(() => import('./routes/plans')) },
            { path: '/auth', lazy: () => withMoreTexts(() => import('./routes/auth')) },
            {
              path: '/auth/callback',
              lazy: () => withMoreTexts(() => import('./routes/auth-callback')),
            },
            {
              path: '/unsubscribe',
              lazy: () => withMoreTexts(() => import('./routes/unsubscribe')),
            },
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
                {
                  path: '/business/:id/bookings',
                  lazy: () => import('./routes/business-bookings'),
                },
              ],
            },
            // Menus link to them by their own URLs (ROUTE-34, C-18).
            { path: paths.adminDashboard, loader: () => redirect(paths.admin) },
            { path: paths.adminUsers, loader: () => redirect(paths.adminTab('users')) },
            {
              lazy: () => import('./layouts/admin-only'),
              children: [
                { path: paths.admin, lazy: () => import('./routes/admin') },
                { path: paths.debugAdmin, lazy: () => import('./routes/debug-admin') },
              ],
            },
            ...devRoutes,
            { path: '*', lazy: () => import('./routes/not-found') },
          ],
        },
      ],
    },
  ],
  { basename: languagePath || '/' },
)
