import { useMutation } from '@tanstack/react-query'
import { AppError, toAppError, unwrap } from '@/lib/errors'
import { db, loadSupabase } from '@/lib/supabase'
import { type ChosenLogo, isRefused, logoKey } from '../model/logo'

const bucket = 'business-logos'
const cacheSeconds = '31536000'

/** Sets or removes the logo of a business; the previous object is deleted, too. */
async function setLogo(businessId: string, url: string | null): Promise<void> {
  const rows = unwrap(
    await db.from('businesses').update({ logo_url: url }).eq('id', businessId).select('id'),
  )
  if (rows.length === 0) throw new AppError('42501', 'not the owner', { status: 403 })
}

/** What follows, also if the component is gone by then. */
type Outcome = { onSuccess: () => void; onError: () => void; onSettled: () => void }

type LogoOf = { userId: string; businessId: string }

async function storeLogo({ userId, businessId }: LogoOf, { file, type }: ChosenLogo) {
  const objects = (await loadSupabase()).storage.from(bucket)
  const key = logoKey({ userId, businessId, type, name: crypto.randomUUID() })
  const { error } = await objects.upload(key, file, {
    contentType: type,
    cacheControl: cacheSeconds,
  })
  if (error) throw toAppError(error)
  try {
    await setLogo(businessId, `/storage/v1/object/public/${bucket}/${key}`)
  } catch (refusal) {
    if (isRefused(refusal)) await objects.remove([key])
    throw refusal
  }
}

/**
 * Uploads a picture and makes it the logo. Errors: plan_logo, 42501 for callers who do not manage
 * the business.
 */
export function useSaveLogo(of: LogoOf, outcome: Outcome) {
  return useMutation({
    mutationFn: (logo: ChosenLogo) => storeLogo(of, logo),
    ...outcome,
    // Without a connection it fails at once with a message instead of waiting.
  })
}

/** Removes the logo, whatever the plan. */
export function useRemoveLogo(businessId: string, outcome: Outcome) {
  return useMutation({ mutationFn: () => setLogo(businessId, null), ...outcome })
}
