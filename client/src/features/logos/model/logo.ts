import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { checkFile, type PhotoType, photoEndings } from '@/lib/photo-file'
import { messages } from '../messages'

/** The bucket's maximum is 1 MB. */
export const logoBytes = 1024 * 1024

/** A selected picture that passed the checks. */
export type ChosenLogo = { file: File; type: PhotoType }

/** Checks a file before it is uploaded; returns a message if it is not accepted. */
export async function checkLogo(file: File): Promise<ChosenLogo | string> {
  const { type, problem } = await checkFile(file, logoBytes + 1)
  if (type !== null) return { file, type }
  return problem === 'too-large' ? messages.tooLarge : messages.wrongType
}

type KeyParts = { userId: string; businessId: string; type: PhotoType; name: string }

/** Returns where a logo is stored: {userId}/{businessId}/{name}.{ext}; names are never reused. */
export function logoKey({ userId, businessId, type, name }: KeyParts): string {
  return `${userId}/${businessId}/${name}.${photoEndings[type]}`
}

const refusals = new Map<string, string>(Object.entries(messages.refusals))

/** Returns why a logo was not saved or removed. */
export function logoFailure(error: unknown): string {
  return refusals.get(toAppError(error).code) ?? describeError(error)
}

/** Reports whether the database refused; otherwise it may have stored the logo. */
export function isRefused(error: unknown): boolean {
  const { kind } = toAppError(error)
  return kind !== 'network' && kind !== 'server'
}
