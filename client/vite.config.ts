import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { mapPlugin } from './scripts/map-plugin.ts'

const server = 'http://127.0.0.1:54321'
const serverPaths = ['/rest', '/auth/v1', '/storage', '/functions', '/inbox', '/api']

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/**
 * The first view is visible before the scripts run, so its styles and fonts are loaded before them.
 */
const paintFirst: Plugin = {
  name: 'paint-first',
  transformIndexHtml: {
    order: 'post',
    handler: (page) =>
      page.replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"'),
  },
}

const languages = ['es', 'ca', 'en'] as const
const textsOf = (language: string) => `src/texts/${language}.ts`

/** The development server has translations, too, where the pages' server inserts them otherwise. */
const translate: Plugin = {
  name: 'translate',
  apply: 'serve',
  transformIndexHtml: {
    order: 'pre',
    handler: (_page, { originalUrl = '' }) => {
      const language = languages.find((one) => new RegExp(`^/${one}(?![^/?])`).test(originalUrl))
      const src = language && `/${textsOf(language)}`
      return src ? [{ tag: 'script', attrs: { type: 'module', src }, injectTo: 'head' }] : []
    },
  },
}

export default defineConfig({
  plugins: [react(), tailwindcss(), mapPlugin(), paintFirst, translate],
  resolve: {
    alias: [
      { find: '@', replacement: path('./src') },
      // Preact renders components written for React (docs/decisions/0040-preact.md).
      { find: /^react$/, replacement: path('./src/preact/react.js') },
      { find: /^react-dom$/, replacement: path('./src/preact/react-dom.js') },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
    ],
  },
  server: {
    proxy: Object.fromEntries(serverPaths.map((path) => [path, { target: server }])),
  },
  build: {
    target: 'es2023',
    // scripts/size.mjs and the server read it; the server need not serve it.
    manifest: true,
    // Keeps light-dark() and nesting unchanged; every supported browser has both.
    cssTarget: ['chrome125', 'firefox129', 'safari18'],
    // The page's policy forbids inline data in scripts, and fonts must be cacheable.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The map library, which loads when a map is near the viewport.
    chunkSizeWarningLimit: 1100,
    rollupOptions: {
      // The translations run before the client on the pages of their language (server/site).
      input: ['index.html', ...languages.map(textsOf)],
      output: {
        // The first file contains the name of every lazy file; a bare hash keeps that short.
        chunkFileNames: 'assets/[hash:8].js',
        // Code that every page needs changes less often than our own, so it is a separate file.
        codeSplitting: {
          groups: [
            // Our own code shared by most screens, in one file instead of a dozen small ones;
            // without the code shared by forms, dialogs and failures, which public pages do not
            // load at first.
            {
              name: 'shell',
              test: /[\\/](src|lucide-react|@supabase[\\/]postgrest-js)[\\/](?!features[\\/]admin|.*[\\/](data-table|table|tabs|calendar-days|search-field|textarea|form-field|call-function|confirm-dialog|(use-)?unsaved-dialog|dialog|alert|error-message|error-text|page-header|badge|input)\.tsx?$)/,
              minShareCount: 9,
            },
            // The opening state of a business, which every card and page shows.
            { name: 'open', test: /[\\/](open-(line|state|label))\.tsx?$/ },
            // Code shared by the sign-in methods: otherwise half a dozen files of a few lines.
            {
              name: 'sign-in',
              test: /[\\/](components[\\/](resend|code-form|code-field|use-code-entry)|webauthn|auth-error)\.tsx?$/,
              minShareCount: 11,
            },
            {
              name: 'vendor',
              priority: 1,
              // Without what only lists of bookings use.
              test: /node_modules[\\/](preact|react-router|@tanstack)[\\/](?!.*useMutationState)/,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: 'happy-dom',
    // Makes libraries use Preact instead of React, too.
    server: { deps: { inline: true } },
    alias: { '@testing-library/react': '@testing-library/preact' },
    // A separate context for each file, within few processes: a quarter of the time.
    pool: 'vmThreads',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    // A generous timeout: a form filled in key by key takes over five seconds on a busy machine.
    testTimeout: 30_000,
  },
})
