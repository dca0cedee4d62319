import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useSession } from '@/lib/session'
import { sessionKeys } from '../api/keys'
import { sessionRowQuery, startSession, touchSession } from '../api/session-row'
import { messages } from '../messages'
import {
  defaultTimeoutMinutes,
  type SessionStanding,
  sessionStanding,
} from '../model/session-clock'
import { forgetSessionToken } from '../model/session-token'
import { useActivity } from './use-activity'
import { useLeaving } from './use-leaving'

type SessionKeeperProps = {
  /** Called when the session has ended: sign out and show the reason. */
  onEnd: (notice: { title: string; text: string }) => void
}

/**
 * Monitors the signed-in user's session: records activity, warns before it ends, and ends it
 * (AUTH-18 to AUTH-23). The server enforces the end in any case (S-17).
 */
export function SessionKeeper({ onEnd }: SessionKeeperProps) {
  const session = useSession()
  const sessionId = session.status === 'signed-in' ? session.sessionId : null
  return sessionId === null ? null : (
    <SessionWatch key={sessionId} sessionId={sessionId} onEnd={onEnd} />
  )
}

function SessionWatch({ sessionId, onEnd }: SessionKeeperProps & { sessionId: string }) {
  const client = useQueryClient()
  const { data: row, dataUpdatedAt, errorUpdatedAt } = useQuery(sessionRowQuery(sessionId))
  const [timeout, setTimeoutMinutes] = useState(defaultTimeoutMinutes)

  const note = useCallback(() => {
    void touchSession()
      .then(({ timeoutMinutes }) => {
        if (timeoutMinutes !== null) setTimeoutMinutes(timeoutMinutes)
        return client.invalidateQueries({ queryKey: sessionKeys.row(sessionId) })
      })
      // Without a connection nothing can be recorded; the next check tries again.
      .catch(() => undefined)
  }, [client, sessionId])
  useActivity(note)
  useLeaving(sessionId, note)

  useEffect(() => {
    void startSession(sessionId).catch(() => undefined)
    note()
    return forgetSessionToken
  }, [sessionId, note])

  const checkedAt = Math.max(dataUpdatedAt, errorUpdatedAt)
  const standing: SessionStanding = row
    ? sessionStanding(row, timeout, new Date(checkedAt))
    : { kind: 'running' }
  const reason = standing.kind === 'ended' ? standing.reason : null

  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (reason === null) return
    const text = reason === 'expired' ? messages.expired : messages.timedOut
    end({ title: messages.ended, text })
  }, [reason])

  return standing.kind === 'ending' ? <Warning canStay={standing.canStay} onStay={note} /> : null
}

/** Stays until it is answered: five minutes could otherwise pass unnoticed. */
function Warning({ canStay, onStay }: { canStay: boolean; onStay: () => void }) {
  const [isDismissed, setDismissed] = useState(false)
  if (isDismissed) return null
  return (
    <section
      role="alert"
      className="fixed inset-x-4 bottom-[calc(1rem+var(--below))] z-50 mx-auto flex max-w-md flex-wrap items-center gap-3 rounded-card border border-line bg-surface p-4 shadow-float"
    >
      <p className="flex-1 basis-48 font-semibold">{messages.warning}</p>
      {canStay ? (
        <Button size="sm" onClick={onStay}>
          {messages.stay}
        </Button>
      ) : (
        <Button variant="outline" size="sm" onClick={() => setDismissed(true)}>
          {messages.dismiss}
        </Button>
      )}
    </section>
  )
}
