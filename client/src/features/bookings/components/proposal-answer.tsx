import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { formatDay } from '@/lib/time'
import { useAnswerTime } from '../api/mutations'
import { messages } from '../messages'
import { type Booking, refusalText } from '../model/booking'

type ProposalAnswerProps = { bookingId: string; proposal: NonNullable<Booking['proposal']> }

/** A proposed time for a booking, and the customer's reply to it. */
export function ProposalAnswer({ bookingId, proposal }: ProposalAnswerProps) {
  const answer = useAnswerTime()
  const when = `${formatDay(proposal.date)}, ${proposal.start}`
  const send = (accept: boolean) =>
    answer.mutate(
      { id: bookingId, date: proposal.date, start: proposal.start, accept },
      {
        onSuccess: () =>
          showToast({ title: accept ? messages.accepted : messages.refused, tone: 'success' }),
        onError: (error) =>
          showToast({ title: messages.answerFailed, text: refusalText(error), tone: 'danger' }),
      },
    )
  return (
    <div className="col-span-full grid gap-3 rounded-control bg-primary-soft p-4 sm:col-start-2">
      <p className="nums font-semibold">
        {proposal.isOwn ? messages.asked(when) : messages.proposed(when)}
      </p>
      <div className="flex flex-wrap gap-2">
        {!proposal.isOwn && (
          <Button
            size="sm"
            pending={answer.isPending && answer.variables.accept}
            onClick={() => send(true)}
          >
            {messages.accept}
          </Button>
        )}
        <Button
          size="sm"
          variant="outline"
          pending={answer.isPending && !answer.variables.accept}
          onClick={() => send(false)}
        >
          {proposal.isOwn ? messages.takeBack : messages.refuse}
        </Button>
      </div>
    </div>
  )
}
