import * as z from 'zod/mini'
import { toAppError } from '@/lib/errors'
import { fullName } from '@/lib/full-name'

export const profileSchema = z.object({ fullName })
export type ProfileForm = z.infer<typeof profileSchema>

/** Reports whether the profile was not stored because the session has ended (ERR-22). */
export function isSignedOut(thrown: unknown): boolean {
  const { code, kind } = toAppError(thrown)
  return kind === 'auth' || code === '42501' || code === 'no_authorization'
}
