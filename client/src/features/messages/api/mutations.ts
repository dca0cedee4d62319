import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '@/components/ui/toast'
import { toAppError, unwrap } from '@/lib/errors'
import { db, loadSupabase } from '@/lib/supabase'
import { messages } from '../messages'
import { draftKey, removeSent } from '../model/draft'
import { messageKeys } from './keys'
import { photoBucket } from './queries'

/** A message to be sent to the owner of a business, or by the owner to a customer. */
export type Outgoing = {
  businessId: string
  customerId: string | null
  text: string
  photos: readonly File[]
}

async function uploadPhoto(userId: string, file: File): Promise<string> {
  const { storage } = await loadSupabase()
  const ending = file.type === 'image/jpeg' ? 'jpg' : file.type.slice('image/'.length)
  const name = `${userId}/${crypto.randomUUID()}.${ending}`
  const { error } = await storage.from(photoBucket).upload(name, file, { contentType: file.type })
  if (error) throw toAppError(error)
  return name
}

/** Sends a message; returns the id of its conversation (MSG-03). */
export function useSend(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ businessId, customerId, text, photos }: Outgoing) => {
      const attachments: string[] = []
      for (const photo of photos) attachments.push(await uploadPhoto(userId, photo))
      const { conversation_id: id } = unwrap(
        await db
          .from('messages')
          .insert({
            sender_id: userId,
            business_id: businessId,
            content: text,
            attachments,
            ...(customerId !== null && { recipient_id: customerId }),
          })
          .select('conversation_id')
          .single(),
      )
      return id
    },
    // Handled here and not in the composer, which may be unmounted once the conversation is found.
    onSuccess: (_id, { businessId, customerId, text }) => {
      removeSent(draftKey(userId, businessId, customerId), text)
      void client.invalidateQueries({ queryKey: messageKeys.all })
    },
  })
}

/** Marks the user's received messages of a conversation as read. */
export function useMarkRead(onRead: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (conversationId: string) => {
      unwrap(await db.rpc('mark_conversation_read', { p_conversation_id: conversationId }))
    },
    onSuccess: () => {
      onRead()
      return client.invalidateQueries({ queryKey: messageKeys.all })
    },
  })
}

/** Blocks or unblocks a conversation. */
export function useBlock() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, isBlocked }: { id: string; isBlocked: boolean }) => {
      unwrap(await db.rpc('block_conversation', { p_conversation_id: id, p_blocked: isBlocked }))
    },
    onError: () => showToast({ title: messages.blockFailed, tone: 'danger' }),
    onSettled: () => client.invalidateQueries({ queryKey: messageKeys.all }),
  })
}
