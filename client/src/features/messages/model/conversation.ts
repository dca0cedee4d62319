import type { Database } from '@/types/database.gen'
import { messages } from '../messages'

type Row = Database['public']['Functions']['my_conversations']['Returns'][number]

/** A conversation as one of its two parties sees it. */
export type Conversation = {
  id: string
  business: { id: string; name: string; imageUrl: string | null; category: string } | null
  /** The caller owns the business. */
  isOwner: boolean
  /** The other party: a business for a customer, a person for an owner. */
  name: string
  otherId: string | null
  avatarUrl: string | null
  lastLine: string
  lastAt: string
  unread: number
  isBlockedByMe: boolean
  /** Messages can be sent. */
  isOpen: boolean
}

/** The generated types do not say which columns of a function's result may be null. */
type NullableRow = { [K in keyof Row]: Row[K] | null }

export function toConversation(row: NullableRow): Conversation {
  const business =
    row.business_id === null
      ? null
      : {
          id: row.business_id,
          name: row.business_name ?? '',
          imageUrl: row.business_image_url || null,
          category: row.business_category ?? '',
        }
  const isOwner = row.is_owner === true
  return {
    id: row.id ?? '',
    business,
    isOwner,
    name: isOwner ? row.other_name?.trim() || messages.someone : (business?.name ?? messages.gone),
    otherId: row.other_id,
    avatarUrl: row.other_avatar_url,
    lastLine: lastLine(row),
    lastAt: row.last_at ?? '',
    unread: row.unread ?? 0,
    isBlockedByMe: row.blocked_by_me === true,
    isOpen: row.is_open === true,
  }
}

function lastLine({ last_content, last_has_photos, last_sent_by_me }: NullableRow): string {
  const text = last_content?.trim() || (last_has_photos ? messages.photo : '')
  return last_sent_by_me && text !== '' ? `${messages.you}: ${text}` : text
}
