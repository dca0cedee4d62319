import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

export const documentBucket = 'claim-documents'

const documentTypes = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp']

/** For `accept` of a file input. */
export const acceptedDocuments = documentTypes.join(',')

/** The largest document: 10 MB. The bucket holds the same. */
const documentBytes = 10 * 1024 * 1024

/** Looks at a file before it is sent; the bucket decides. */
export function problemOf({ type, size }: Pick<File, 'type' | 'size'>) {
  if (!documentTypes.includes(type)) return 'wrong-type'
  return size > documentBytes ? 'too-large' : null
}

/** Where the documents of a claim are: {userId}/{claimId} (S-48). */
export function folderOf(userId: string, claimId: string): string {
  return `${userId}/${claimId}`
}

const maxName = 80

/** The name of a document's object: unlike any other, with what can be kept of the file's own name. */
export function objectName(fileName: string, random: string): string {
  const plain = fileName
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
  return `${random}_${plain.slice(-maxName)}`
}

/** The file's name in the name of its object. */
export function nameOf(objectName: string): string {
  return objectName.slice(objectName.indexOf('_') + 1)
}

/** Why a document was refused, in words; null where there are none for it. */
export function documentRefusal(thrown: unknown): string | null {
  const { code } = toAppError(thrown)
  const known = Object.entries(messages.documentProblems).find(([problem]) => problem === code)
  return known?.[1] ?? null
}
