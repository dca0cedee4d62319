import { queryOptions } from '@tanstack/react-query'
import { toAppError, unwrap } from '@/lib/errors'
import { verifySecondFactor } from '@/lib/second-factor'
import { db, loadSupabase } from '@/lib/supabase'
import { type Factor, type Setup, toFactor, toSetup, totpIssuer, totpName } from '../model/totp'
import { securityKeys } from './keys'

/** The user's authenticator, verified or being set up; null if there is none (SEC-05). */
export const factorQuery = (userId: string) =>
  queryOptions({
    queryKey: securityKeys.factor(userId),
    queryFn: async ({ signal }): Promise<Factor | null> => {
      const [row] = unwrap(
        await db
          .from('user_totp_secrets')
          .select('id, is_verified, last_used_at, created_at')
          .eq('user_id', userId)
          .order('is_verified', { ascending: false })
          .order('created_at', { ascending: false })
          .limit(1)
          .abortSignal(signal),
      )
      return row ? toFactor(row) : null
    },
    staleTime: 0,
  })

/** The number of remaining backup codes; null if none were ever created. */
export const backupCodesQuery = (userId: string) =>
  queryOptions({
    queryKey: securityKeys.backupCodes(userId),
    queryFn: async (): Promise<number | null> => {
      const { data, error } = await (await mfa()).recoveryCodes.getStatus()
      if (error?.code === 'mfa_factor_not_found') return null
      if (error) throw toAppError(error)
      return data.remaining
    },
    staleTime: 0,
  })

async function mfa() {
  return (await loadSupabase()).auth.mfa
}

async function remove(factorId: string): Promise<void> {
  const { error } = await (await mfa()).unenroll({ factorId })
  if (error) throw toAppError(error)
}

/**
 * Creates a new secret (SEC-05, SEC-08). An earlier, unfinished set-up is deleted: its secret
 * cannot be shown again.
 */
export async function startSetup(unfinished: Factor | null): Promise<Setup> {
  if (unfinished && !unfinished.isVerified) await remove(unfinished.id)
  const { data, error } = await (await mfa()).enroll({
    factorType: 'totp',
    issuer: totpIssuer,
    friendlyName: totpName,
  })
  if (error) throw toAppError(error)
  return toSetup(data)
}

/** Cancels an unfinished set-up. */
export async function cancelSetup(factorId: string): Promise<void> {
  await remove(factorId)
}

/** Enables the second factor with a code of the authenticator; other sessions end (SEC-05). */
export async function enableFactor(factorId: string, code: string): Promise<void> {
  await verifySecondFactor(factorId, { kind: 'totp', code })
}

/** Disables the second factor. The session is kept, at the lower level (SEC-05). */
export async function disableFactor(factorId: string): Promise<void> {
  await remove(factorId)
  const { auth } = await loadSupabase()
  // The session's stored user still contains the factor.
  await auth.refreshSession()
}

/** Creates backup codes, replacing existing ones; they are shown only once (SEC-09). */
export async function createBackupCodes({ isFirst }: { isFirst: boolean }): Promise<string[]> {
  const { recoveryCodes } = await mfa()
  const { data, error } = await (isFirst ? recoveryCodes.generate() : recoveryCodes.regenerate())
  if (error) throw toAppError(error)
  return data.codes
}
