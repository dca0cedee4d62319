import { useMutation, useQueryClient } from '@tanstack/react-query'
import { env } from '@/lib/env'
import { toAppError, unwrap } from '@/lib/errors'
import { request } from '@/lib/request'
import { db } from '@/lib/supabase'
import type { NoticeKind, NoticeSettings } from '../model/kind'
import { noticeKeys } from './keys'

type Change = { kind: NoticeKind; isOn: boolean }

/** Turns mails of a kind on or off: shown at once, rolled back on failure. */
export function useSetNotice(userId: string, onFailed: (kind: NoticeKind, error: Error) => void) {
  const client = useQueryClient()
  const queryKey = noticeKeys.settings(userId)
  const show = ({ kind, isOn }: Change) =>
    client.setQueryData<NoticeSettings>(queryKey, (now) => now && { ...now, [kind]: isOn })
  const mutationKey = ['set-notice', userId]
  return useMutation({
    mutationKey,
    // Sent one after another, so that the last press wins.
    scope: { id: `notices-${userId}` },
    mutationFn: async ({ kind, isOn }: Change) =>
      unwrap(
        await db
          .from('notification_settings')
          .upsert({ user_id: userId, kind, by_mail: isOn }, { onConflict: 'user_id,kind' }),
      ),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey })
      show(change)
    },
    onError: (error, { kind, isOn }) => {
      show({ kind, isOn: !isOn })
      onFailed(kind, error)
    },
    // After several presses, what was stored is not the opposite of what failed.
    onSettled: () => {
      if (client.isMutating({ mutationKey }) === 1) void client.invalidateQueries({ queryKey })
    },
  })
}

/** Turns off mails of a kind for the owner of a link, signed in or not. Error: bad_link. */
export async function unsubscribe(token: string): Promise<void> {
  const address = `${env.supabaseUrl}/unsubscribe?${new URLSearchParams({ token })}`
  const answer = await request(address, { method: 'POST' })
  if (!answer.ok) throw toAppError(await answer.json().catch(() => null), answer.status)
}
