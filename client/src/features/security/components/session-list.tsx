import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { QueryState } from '@/components/query-state'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'
import { securityKeys } from '../api/keys'
import { terminateOthers, terminateSession } from '../api/mutations'
import { sessionsQuery } from '../api/queries'
import { messages } from '../messages'
import { thisFirst, type UserSession } from '../model/session'
import { RowsSkeleton } from './rows-skeleton'
import { SessionCard } from './session-card'

type SessionListProps = {
  userId: string
  /** This browser's session. */
  current: string | null
  onSignOut: () => void
}

/** The devices where the user is signed in, and signing them out (SEC-16, SEC-17). */
export function SessionList({ userId, current, onSignOut }: SessionListProps) {
  const query = useQuery(sessionsQuery(userId))
  const [openDialog, setOpenDialog] = useState<UserSession | 'others' | null>(null)
  const terminate = useTerminate(() => setOpenDialog(null))
  const now = new Date()
  const hasOthers = (query.data ?? []).some(({ sessionId }) => sessionId !== current)
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">{messages.sessionsText}</p>
        {hasOthers && (
          <Button variant="outline" size="sm" onClick={() => setOpenDialog('others')}>
            {messages.others}
          </Button>
        )}
      </div>
      <QueryState
        query={query}
        pending={<RowsSkeleton label={messages.sessionsPending} row="h-44.5 sm:h-25.5" count={2} />}
        errorTitle={messages.sessionsError}
        isEmpty={(sessions) => sessions.length === 0}
        empty={<EmptyState title={messages.noSessions} text={messages.noSessionsText} />}
      >
        {(sessions) => (
          <ul className="grid gap-3">
            {thisFirst(sessions, current).map(({ session, isThis }) => (
              <li key={session.id}>
                <SessionCard
                  session={session}
                  isThis={isThis}
                  now={now}
                  onEnd={isThis ? onSignOut : () => setOpenDialog(session)}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <ConfirmDialog
        open={openDialog !== null}
        onClose={() => setOpenDialog(null)}
        title={openDialog === 'others' ? messages.othersTitle : messages.terminateTitle}
        text={
          openDialog === 'others'
            ? messages.othersText
            : messages.terminateText(openDialog?.device.label ?? '')
        }
        confirmLabel={openDialog === 'others' ? messages.others : messages.terminate}
        cancelLabel={messages.keep}
        pending={terminate.isPending}
        onConfirm={() => openDialog && terminate.mutate(openDialog)}
      />
    </div>
  )
}

function useTerminate(onSettled: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (target: UserSession | 'others') =>
      target === 'others' ? terminateOthers() : terminateSession(target.id),
    onSuccess: () => showToast({ title: messages.terminated, tone: 'success' }),
    onError: (error) =>
      showToast({ title: messages.terminateFailed, text: describeError(error), tone: 'danger' }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: securityKeys.all })
      onSettled()
    },
  })
}
