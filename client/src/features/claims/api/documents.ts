import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { showToast } from '@/components/ui/toast'
import { type ClaimDocument, documentBucket, folderOf } from '@/lib/claim-documents'
import { env } from '@/lib/env'
import { AppError, toAppError } from '@/lib/errors'
import { loadSupabase, requestHeaders } from '@/lib/supabase'
import { messages } from '../messages'
import { objectName, problemOf } from '../model/document'
import { claimKeys } from './keys'

type Upload = { file: File; onProgress: (share: number) => void }

/** Uploads a file to the bucket. It does not use fetch, which reports no progress. */
async function send(key: string, { file, onProgress }: Upload): Promise<void> {
  const headers = await requestHeaders()
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${env.supabaseUrl}/storage/v1/object/${documentBucket}/${key}`)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.setRequestHeader('Content-Type', file.type)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onerror = () => reject(toAppError(new TypeError('Failed to fetch')))
    request.onload = () =>
      request.status < 300 ? resolve() : reject(refusal(request.status, request.response))
    request.send(file)
  })
}

const refused = z.object({ statusCode: z.string(), message: z.string() })
const codes: Record<string, string> = { 403: '42501', 413: 'too-large', 415: 'wrong-type' }

/** The storage API returns many refusals as 400, with the actual status in the body. */
function refusal(status: number, body: unknown): AppError {
  const { statusCode = String(status), message = '' } = refused.safeParse(body).data ?? {}
  const code = message.startsWith('At most') ? 'too_many_claim_documents' : codes[statusCode]
  return new AppError(code ?? 'upload_failed', message, { status })
}

/**
 * Adds a document to a claim. Errors: wrong-type, too-large, too_many_claim_documents, 42501 once
 * it is decided.
 */
export function useAddDocument(userId: string, claimId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (upload: Upload) => {
      const problem = problemOf(upload.file)
      if (problem !== null) throw new AppError(problem, problem, { status: 422 })
      const name = objectName(upload.file.name, crypto.randomUUID())
      await send(`${folderOf(userId, claimId)}/${name}`, upload)
    },
    onSuccess: (_data, { file }) =>
      showToast({ title: messages.added, text: file.name, tone: 'success' }),
    onSettled: () => client.invalidateQueries({ queryKey: claimKeys.documents(claimId) }),
  })
}

/** Deletes a document, until the claim is decided. */
export function useRemoveDocument(claimId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ key }: ClaimDocument) => {
      const { storage } = await loadSupabase()
      const { data, error } = await storage.from(documentBucket).remove([key])
      if (error) throw toAppError(error)
      // Row-level security hides documents that may not be deleted: no error, and nothing deleted.
      if (data.length === 0) throw new AppError('42501', 'nothing was removed', { status: 403 })
    },
    onSuccess: (_data, { name }) =>
      showToast({ title: messages.removed, text: name, tone: 'success' }),
    onSettled: () => client.invalidateQueries({ queryKey: claimKeys.documents(claimId) }),
  })
}
