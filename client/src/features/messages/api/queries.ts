import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { db, loadSupabase } from '@/lib/supabase'
import { toConversation } from '../model/conversation'
import type { Message } from '../model/message'
import { messageKeys } from './keys'

const conversationPageSize = 20
const messagePageSize = 30

const second = 1000
// Refetched when messages change (app/layouts/use-live-account.ts).
const live = { staleTime: 0, refetchOnWindowFocus: true } as const

/** The bucket of photos in messages. */
export const photoBucket = 'message-photos'

/** The number of the user's unread messages. */
export const unreadMessagesQuery = (userId: string) =>
  queryOptions({
    queryKey: messageKeys.unread(userId),
    queryFn: async ({ signal }) => {
      const { total } = unwrapCounted(
        await db
          .from('messages')
          .select('id', { count: 'exact' })
          .eq('recipient_id', userId)
          .eq('read', false)
          .limit(1)
          .abortSignal(signal),
      )
      return total
    },
    ...live,
    staleTime: 60 * second,
  })

/** The user's conversations, the latest first. */
export const conversationsQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: messageKeys.conversations(userId),
    queryFn: async ({ signal, pageParam }) => {
      const rows = unwrap(
        await db
          .rpc('my_conversations')
          .order('last_at', { ascending: false })
          .order('id')
          .range(pageParam, pageParam + conversationPageSize - 1)
          .abortSignal(signal),
      )
      return {
        items: rows.map(toConversation),
        next: rows.length < conversationPageSize ? null : pageParam + conversationPageSize,
      }
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    ...live,
  })

/** A conversation; null if the user has none with that id. */
export const conversationQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: messageKeys.conversation(userId, id),
    queryFn: async ({ signal }) => {
      const rows = unwrap(
        await db.rpc('my_conversations').eq('id', id).limit(1).abortSignal(signal),
      )
      return rows[0] ? toConversation(rows[0]) : null
    },
    ...live,
  })

/** The user's own open conversation with the owner of a business, if there is one (MSG-01). */
export const conversationWithQuery = (userId: string, businessId: string) =>
  queryOptions({
    queryKey: messageKeys.ofBusiness(userId, businessId),
    queryFn: async ({ signal }) => {
      const rows = unwrap(
        await db
          .rpc('my_conversations')
          .eq('business_id', businessId)
          .eq('is_owner', false)
          .order('is_open', { ascending: false })
          .order('last_at', { ascending: false })
          .limit(1)
          .abortSignal(signal),
      )
      return rows[0] ? toConversation(rows[0]) : null
    },
    staleTime: 0,
  })

/** The business that receives a first message; null if it does not exist. */
export const recipientQuery = (businessId: string) =>
  queryOptions({
    queryKey: messageKeys.business(businessId),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .from('businesses')
          .select('id, name, image_url, category_code, type')
          .eq('id', businessId)
          .abortSignal(signal)
          .maybeSingle(),
      ),
  })

/** The messages of a conversation, newest first. */
export const messagesQuery = (userId: string, conversationId: string) =>
  infiniteQueryOptions({
    queryKey: messageKeys.list(conversationId),
    queryFn: async ({ signal, pageParam }) => {
      const rows = unwrap(
        await db
          .from('messages')
          .select('id, sender_id, content, attachments, read, created_at')
          .eq('conversation_id', conversationId)
          .order('created_at', { ascending: false })
          .order('id')
          .range(pageParam, pageParam + messagePageSize - 1)
          .abortSignal(signal),
      )
      const items = rows.map(
        (row): Message => ({
          id: row.id,
          isMine: row.sender_id === userId,
          text: row.content,
          photos: row.attachments,
          sentAt: row.created_at,
          isRead: row.read,
        }),
      )
      return { items, next: rows.length < messagePageSize ? null : pageParam + messagePageSize }
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    ...live,
  })

/** How long the URL of a photo is valid, in seconds. */
const photoAddressSeconds = 3600

/** A signed URL with which both parties of a conversation can see a photo for an hour. */
export const messagePhotoQuery = (name: string) =>
  queryOptions({
    queryKey: messageKeys.photo(name),
    queryFn: async () => {
      const { storage } = await loadSupabase()
      const { data, error } = await storage
        .from(photoBucket)
        .createSignedUrl(name, photoAddressSeconds)
      if (error) throw error
      return data.signedUrl
    },
    staleTime: (photoAddressSeconds / 2) * second,
  })
