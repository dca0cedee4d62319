import { z } from 'zod'

const settings = z.object({ external: z.object({ google: z.boolean().catch(false) }) })

/** The ways of signing in that the auth server has switched on. */
export type Providers = { google: boolean }

/** Reads the auth server's settings; what it does not say is off. */
export function readProviders(answer: unknown): Providers {
  const read = settings.safeParse(answer)
  return { google: read.success && read.data.external.google }
}
