import { toAppError } from './errors'
import { loadSupabase } from './supabase'

/** The private bucket of the documents that prove claims; the claimant and admins read it (S-48). */
export const documentBucket = 'claim-documents'

/** Returns the folder of a claim's documents: {userId}/{claimId}. */
export function folderOf(userId: string, claimId: string): string {
  return `${userId}/${claimId}`
}

/** Returns the file's name from its object name, which is a random part, '_' and that name. */
export function fileNameOf(objectName: string): string {
  return objectName.slice(objectName.indexOf('_') + 1)
}

export type ClaimDocument = { key: string; name: string }

/** Returns the documents of a claim, the oldest first. */
export async function readDocuments(
  userId: string,
  claimId: string,
  signal: AbortSignal,
): Promise<ClaimDocument[]> {
  const folder = folderOf(userId, claimId)
  const { storage } = await loadSupabase()
  const { data, error } = await storage
    .from(documentBucket)
    .list(folder, { sortBy: { column: 'created_at', order: 'asc' } }, { signal })
  if (error) throw toAppError(error)
  return data.map(({ name }) => ({ key: `${folder}/${name}`, name: fileNameOf(name) }))
}
