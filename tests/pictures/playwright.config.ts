import { defineConfig } from '@playwright/test'
import e2e from '../e2e/playwright.config'

/** Screenshots of every screen against a running server, selected by SUPABASE_URL. */
export default defineConfig({
  ...e2e,
  testDir: '.',
  testMatch: 'pictures.ts',
  timeout: 60_000,
  globalSetup: './cast.ts',
  outputDir: 'results/failed',
  use: {
    ...e2e.use,
    trace: 'off',
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 10_000,
  },
  projects: [{ name: 'pictures' }],
})
