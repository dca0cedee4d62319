import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { mapPlugin } from './scripts/map-plugin.ts'

const server = 'http://127.0.0.1:54321'
const serverPaths = ['/rest', '/auth/v1', '/storage', '/functions', '/inbox', '/api']

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** The page stands before its scripts run, so what it is drawn with comes before them. */
const paintFirst: Plugin = {
  name: 'paint-first',
  transformIndexHtml: {
    order: 'post',
    handler: (page) =>
      page.replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"'),
  },
}

export default defineConfig({
  plugins: [react(), tailwindcss(), mapPlugin(), paintFirst],
  resolve: {
    alias: [
      { find: '@', replacement: path('./src') },
      // Preact draws what is written for React (docs/decisions/0040-preact.md).
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
    // scripts/size.mjs reads it; the server need not serve it.
    manifest: true,
    // Keeps light-dark() and nesting as written; every browser we serve has both.
    cssTarget: ['chrome125', 'firefox129', 'safari18'],
    // The policy of the page forbids inline data in scripts, and fonts must be cacheable.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The library of the map, which comes when a map is near the screen.
    chunkSizeWarningLimit: 1100,
    rollupOptions: {
      output: {
        // Every lazy file's name stands in the first one; a hash alone keeps that short.
        chunkFileNames: 'assets/[hash:8].js',
        // What every page needs changes less often than our own code, so it is a file of its own.
        codeSplitting: {
          groups: [
            // What most screens share of our own, in one file rather than a dozen small ones; but not
            // what forms, dialogs and failures share, of which public pages have none at first.
            {
              name: 'shell',
              test: /[\\/](src|lucide-react|@supabase[\\/]postgrest-js)[\\/](?!.*[\\/](table|textarea|form-field|call-function|confirm-dialog|dialog|alert|error-message|error-text|page-header|badge|input)\.tsx?$)/,
              minShareCount: 9,
            },
            // When a business is open, which every card and its page say.
            { name: 'open', test: /[\\/](open-(line|state|label))\.tsx?$/ },
            // What the ways to sign in share: half a dozen files of a few lines, otherwise.
            {
              name: 'sign-in',
              test: /[\\/](components[\\/](resend|code-form|code-field|use-code-entry)|webauthn|auth-error)\.tsx?$/,
              minShareCount: 11,
            },
            {
              name: 'vendor',
              priority: 1,
              test: /node_modules[\\/](preact|react-router|@tanstack)[\\/]/,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: 'happy-dom',
    // So that libraries, too, take Preact for React.
    server: { deps: { inline: true } },
    alias: { '@testing-library/react': '@testing-library/preact' },
    // A context of its own for each file, within few processes: a quarter of the time.
    pool: 'vmThreads',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    // No limit of ours: a form filled key by key takes over five seconds on a busy machine.
    testTimeout: 30_000,
  },
})
