import { defineConfig } from '@playwright/test'
import e2e from '../e2e/playwright.config'

/** Pictures of every screen against a running server: SUPABASE_URL says where. */
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
