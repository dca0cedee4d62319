import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { checkFile, type PhotoType, photoEndings } from '@/lib/photo-file'
import { messages } from '../messages'

/** The bucket takes 1 MB at most. */
export const logoBytes = 1024 * 1024

/** A picture that was chosen and may be sent. */
export type ChosenLogo = { file: File; type: PhotoType }

/** Looks at a file before it is sent; a text says what is wrong with it. */
export async function checkLogo(file: File): Promise<ChosenLogo | string> {
  const { type, problem } = await checkFile(file, logoBytes + 1)
  if (type !== null) return { file, type }
  return problem === 'too-large' ? messages.tooLarge : messages.wrongType
}

type KeyParts = { userId: string; businessId: string; type: PhotoType; name: string }

/** Where a logo is stored: {userId}/{businessId}/{name}.{ext}; a name is never used again. */
export function logoKey({ userId, businessId, type, name }: KeyParts): string {
  return `${userId}/${businessId}/${name}.${photoEndings[type]}`
}

const refusals = new Map<string, string>(Object.entries(messages.refusals))

/** Why a logo was not saved or removed, in words. */
export function logoFailure(error: unknown): string {
  return refusals.get(toAppError(error).code) ?? describeError(error)
}

/** Whether the database refused; otherwise it may have stored what was sent. */
export function isRefused(error: unknown): boolean {
  const { kind } = toAppError(error)
  return kind !== 'network' && kind !== 'server'
}
