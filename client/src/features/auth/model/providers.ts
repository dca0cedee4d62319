/** The sign-in methods enabled on the auth server. */
export type Providers = { google: boolean; phone: boolean; passkey: boolean }

function entry(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/**
 * Parses the auth server's settings; missing ones are off. Written by hand, so that the callback
 * needs no zod.
 */
export function readProviders(answer: unknown): Providers {
  const external = entry(answer, 'external')
  return {
    google: entry(external, 'google') === true,
    phone: entry(external, 'phone') === true,
    passkey: entry(answer, 'passkeys_enabled') === true,
  }
}
