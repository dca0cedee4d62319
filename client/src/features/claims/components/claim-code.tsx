import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { toAppError } from '@/lib/errors'
import { useCountdown } from '@/lib/use-countdown'
import { useFocusOn } from '@/lib/use-focus-on'
import { type CodeState, codeQuery, useSendCode } from '../api/codes'
import { messages } from '../messages'
import { codeRefusal, noCodeReason, phaseOf } from '../model/code'
import { ClaimDocuments } from './claim-documents'
import { CodeEntry } from './code-entry'

type ClaimCodeProps = { claimId: string; userId: string }

/** Verifies an open claim by a code that is sent to the business (ADMIN-CLAIM-11). */
export function ClaimCode({ claimId, userId }: ClaimCodeProps) {
  const query = useQuery(codeQuery(claimId))
  return (
    <QueryState
      query={query}
      errorTitle={messages.proofFailed}
      pending={
        <SkeletonGroup label={messages.proofPending} className="grid gap-3">
          <Skeleton className="h-12 rounded-control" />
          <Skeleton className="h-11 rounded-control" />
        </SkeletonGroup>
      }
    >
      {(state) =>
        state !== null && (
          <CodeSteps claimId={claimId} userId={userId} state={state} readAt={query.dataUpdatedAt} />
        )
      }
    </QueryState>
  )
}

type CodeStepsProps = ClaimCodeProps & {
  state: CodeState
  /** When the state was read: its seconds count from then. */
  readAt: number
}

function CodeSteps({ claimId, userId, state, readAt }: CodeStepsProps) {
  const send = useSendCode(claimId)
  const [sent, setSent] = useState(0)
  const secondsLeft = useCountdown(state.seconds_left ?? 0, readAt)
  const wait = useCountdown(state.resend_in ?? 0, readAt)
  const to = state.sent_to ?? ''
  const phase = phaseOf({
    problem: state.problem,
    secondsLeft: state.seconds_left === null ? null : secondsLeft,
    triesLeft: state.tries_left,
  })
  const section = useFocusOn<HTMLElement>(`${phase} ${sent}`)
  const reason = noCodeReason(state.problem ?? (send.error && toAppError(send.error).code))
  if (reason !== null) {
    return (
      <>
        <Alert tone="warning" title={messages.noCode}>
          {reason}
        </Alert>
        <ClaimDocuments claimId={claimId} userId={userId} />
      </>
    )
  }
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="claim-code"
      className="grid gap-4 outline-none"
    >
      <div className="grid gap-1">
        <h3 id="claim-code" className="text-lg">
          {messages.proof}
        </h3>
        {phase === 'unsent' && (
          <p className="text-sm text-muted [overflow-wrap:anywhere]">{messages.unsent(to)}</p>
        )}
      </div>
      {phase === 'expired' && (
        <Alert tone="warning" title={messages.expired}>
          {messages.expiredText}
        </Alert>
      )}
      {phase === 'spent' && (
        <Alert tone="warning" title={messages.spent}>
          {messages.spentText}
        </Alert>
      )}
      {phase === 'sent' && (
        <CodeEntry key={sent} claimId={claimId} sentTo={to} triesLeft={state.tries_left ?? 0} />
      )}
      {send.isError && (
        <Alert tone="danger" title={messages.codeNotSent}>
          {codeRefusal(send.error)}
        </Alert>
      )}
      <SendButton
        to={to}
        isFirst={phase === 'unsent'}
        wait={wait}
        isPending={send.isPending}
        onSend={() => send.mutate(undefined, { onSuccess: () => setSent(sent + 1) })}
      />
    </section>
  )
}

type SendButtonProps = {
  to: string
  isFirst: boolean
  /** Seconds until another code may be requested. */
  wait: number
  isPending: boolean
  onSend: () => void
}

function SendButton({ to, isFirst, wait, isPending, onSend }: SendButtonProps) {
  const again = wait > 0 ? messages.sendAgainIn(wait) : messages.sendAgain
  return (
    <Button
      variant={isFirst ? 'primary' : 'outline'}
      disabled={wait > 0}
      pending={isPending}
      onClick={onSend}
    >
      <span className="nums min-w-0 whitespace-normal py-2 [overflow-wrap:anywhere]">
        {isFirst ? messages.sendCode(to) : again}
      </span>
    </Button>
  )
}
