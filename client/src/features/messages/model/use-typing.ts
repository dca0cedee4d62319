import { useCallback, useEffect, useRef, useState } from 'react'
import { type LiveChannel, openChannel } from '@/lib/live'

/** Interval at which the other party is told about typing, in milliseconds. */
const tellMs = 2_000
/** After how long without a message the other party counts as no longer typing, in milliseconds. */
const forgetMs = 5_000

const event = 'typing'

/**
 * Tells the other party of a conversation that the user types, and whether the other party does.
 * Policies allow the channel to the two parties only.
 */
export function useTyping(
  conversationId: string,
  userId: string,
): { isOtherTyping: boolean; tellTyping: (isTyping: boolean) => void } {
  const [isOtherTyping, setOtherTyping] = useState(false)
  const channel = useRef<LiveChannel | null>(null)
  const toldAt = useRef<number | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (isTyping: boolean) => {
      clearTimeout(timer)
      setOtherTyping(isTyping)
      if (isTyping) timer = setTimeout(() => show(false), forgetMs)
    }
    const opened = openChannel(
      `conversation:${conversationId}`,
      true,
      () => undefined,
      (joining) => {
        joining.on('broadcast', { event }, ({ payload }) => {
          // The user's own other tabs listen, too.
          if (payload?.userId !== userId) show(payload?.isTyping === true)
        })
      },
    )
    channel.current = opened
    return () => {
      clearTimeout(timer)
      setOtherTyping(false)
      channel.current = null
      opened.close()
    }
  }, [conversationId, userId])

  const tellTyping = useCallback(
    (isTyping: boolean) => {
      const now = Date.now()
      const wasTold = toldAt.current !== null
      const isDue = toldAt.current === null || now - toldAt.current >= tellMs
      if (isTyping ? !isDue : !wasTold) return
      toldAt.current = isTyping ? now : null
      channel.current?.send(event, { userId, isTyping })
    },
    [userId],
  )
  return { isOtherTyping, tellTyping }
}
