import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { useAnswerTime } from '../api/mutations'
import { messages } from '../messages'
import type { BusinessBooking } from '../model/business-booking'
import { refusalText } from '../model/refusal'
import { ProposalText } from './proposal-text'

type ProposalAnswerProps = {
  bookingId: string
  proposal: NonNullable<BusinessBooking['proposal']>
}

/** A proposed time, and the reply to it. */
export function ProposalAnswer({ bookingId, proposal }: ProposalAnswerProps) {
  const answer = useAnswerTime()
  const send = (accept: boolean) =>
    answer.mutate(
      { id: bookingId, date: proposal.date, time: proposal.start, accept },
      {
        onSuccess: () =>
          showToast({ title: accept ? messages.moved : messages.refused, tone: 'success' }),
      },
    )
  return (
    <div className="grid gap-3 rounded-control border border-line p-4">
      <p className="font-semibold">
        <ProposalText proposal={proposal} />
      </p>
      {answer.isError && <Alert tone="danger" title={refusalText(answer.error)} />}
      <div className="flex flex-wrap gap-2">
        {!proposal.isOwn && (
          <Button pending={answer.isPending && answer.variables.accept} onClick={() => send(true)}>
            {messages.takeTime}
          </Button>
        )}
        <Button
          variant="outline"
          pending={answer.isPending && !answer.variables.accept}
          onClick={() => send(false)}
        >
          {proposal.isOwn ? messages.takeBack : messages.refuseTime}
        </Button>
      </div>
    </div>
  )
}
