import { defineConfig } from '@playwright/test'

const baseURL = process.env.SUPABASE_URL ?? 'http://127.0.0.1:54321'
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'

const desktop = { viewport: { width: 1440, height: 900 } }
/** Tests that change what only one of them may change at a time. */
const alone = '**/test-tools.spec.ts'

/** End-to-end tests in a real browser against a running server, selected by SUPABASE_URL. */
export default defineConfig({
  testDir: '.',
  // One per server, so that two concurrent runs do not clear each other's.
  outputDir: `/tmp/plaza-e2e-${new URL(baseURL).port}`,
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: process.env.E2E_REPORT ? [['list'], ['./flaky-reporter.ts']] : 'list',
  use: {
    baseURL,
    locale: 'en-GB',
    // Requests of a service worker pass by page.route; installed.spec.ts allows it.
    serviceWorkers: 'block',
    // Without screenshots and snapshots of the page, which cost every test a tenth of its time or
    // more; `npx playwright test --trace on` includes them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-sandbox',
        // Saves a tenth of a run's processor time: a page lives for seconds, too short for code that V8
        // optimizes to pay off, and without a GPU there is nothing that a process of its own protects.
        '--js-flags=--no-opt --no-maglev',
        '--in-process-gpu',
        // Nothing outside this machine is waited for, such as a photo at example.com.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ],
    },
  },
  projects: [
    {
      name: 'phone',
      grepInvert: /@once/,
      testIgnore: alone,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
    { name: 'desktop', testIgnore: alone, use: desktop },
    { name: 'alone', testMatch: alone, workers: 1, use: desktop },
  ],
})
