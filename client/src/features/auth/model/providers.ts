/** The ways of signing in that the auth server has switched on. */
export type Providers = { google: boolean; phone: boolean; passkey: boolean }

function entry(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Reads the auth server's settings; what it does not say is off. By hand: the callback needs no zod. */
export function readProviders(answer: unknown): Providers {
  const external = entry(answer, 'external')
  return {
    google: entry(external, 'google') === true,
    phone: entry(external, 'phone') === true,
    passkey: entry(answer, 'passkeys_enabled') === true,
  }
}
