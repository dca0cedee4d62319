import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { showToast } from '@/components/ui/toast'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { wallClock } from '@/lib/time'
import { useProposeTime } from '../api/mutations'
import { messages } from '../messages'
import { type BusinessBooking, whenText } from '../model/business-booking'
import { type TimeForm, timeSchema } from '../model/forms'
import { refusalText } from '../model/refusal'
import { TimeFields } from './time-fields'

type MoveDialogProps = { booking: BusinessBooking; onClose: () => void }

/** Proposes another time; if the customer has no account, the booking moves at once. */
export function MoveDialog({ booking, onClose }: MoveDialogProps) {
  const formId = useId()
  const propose = useProposeTime()
  const { id, date, start, isWalkIn } = booking
  const form = useForm<TimeForm>({
    resolver: zodResolver(timeSchema),
    defaultValues: { date, time: start },
  })
  const { close, leave, guard } = useUnsavedDialog({
    isDirty: form.formState.isDirty,
    isPending: propose.isPending,
    onClose,
  })
  const submit = form.handleSubmit((values) =>
    propose.mutate(
      { id, ...values },
      {
        onSuccess: () => {
          leave()
          showToast(
            isWalkIn
              ? { title: messages.moved, tone: 'success' }
              : { title: messages.proposedDone, text: messages.proposedText, tone: 'success' },
          )
        },
      },
    ),
  )
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={messages.moveTitle}
        description={isWalkIn ? messages.moveNow : messages.moveText(whenText(booking, new Date()))}
        footer={
          <>
            <Button variant="outline" disabled={propose.isPending} onClick={close}>
              {messages.close}
            </Button>
            <Button type="submit" form={formId} pending={propose.isPending}>
              {isWalkIn ? messages.move : messages.propose}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          className="grid gap-5"
          noValidate
          onSubmit={(event) => void submit(event)}
        >
          {propose.isError && <Alert tone="danger" title={refusalText(propose.error)} />}
          <TimeFields
            form={form}
            date="date"
            time="time"
            today={wallClock(new Date(), booking.zone).date}
          />
        </form>
      </Dialog>
      {guard}
    </>
  )
}
