import { toAppError } from '@/lib/errors'
import { messages } from '../messages'

const documentTypes = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp']

/** For `accept` of a file input. */
export const acceptedDocuments = documentTypes.join(',')

/** Maximum size of a document: 10 MB. The bucket has the same limit. */
const documentBytes = 10 * 1024 * 1024

/** Checks a file before it is uploaded; the bucket decides. */
export function problemOf({ type, size }: Pick<File, 'type' | 'size'>) {
  if (!documentTypes.includes(type)) return 'wrong-type'
  return size > documentBytes ? 'too-large' : null
}

const maxName = 80

/** Returns a unique object name for a document, including what can be kept of the file's name. */
export function objectName(fileName: string, random: string): string {
  const plain = fileName
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
  return `${random}_${plain.slice(-maxName)}`
}

/** Returns why a document was refused; null if there is no specific message. */
export function documentRefusal(thrown: unknown): string | null {
  const { code } = toAppError(thrown)
  const known = Object.entries(messages.documentProblems).find(([problem]) => problem === code)
  return known?.[1] ?? null
}
