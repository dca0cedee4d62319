import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast'
import { formatDay, wallClock } from '@/lib/time'
import { useProposeTime } from '../api/mutations'
import { slotsQuery } from '../api/slot-queries'
import { messages } from '../messages'
import { type Booking, refusalText, whenLabel } from '../model/booking'
import { DayStep } from './day-step'
import { SlotGrid } from './slot-grid'

type MoveDialogProps = { booking: Booking; onClose: () => void }

/** Lets a customer propose another time; the booking keeps its time until the business accepts. */
export function MoveDialog({ booking, onClose }: MoveDialogProps) {
  const { id, businessKey, serviceId, zone } = booking
  const now = new Date()
  const today = wallClock(now, zone).date
  const [date, setDate] = useState(booking.date)
  const [start, setStart] = useState<string | null>(null)
  const propose = useProposeTime()
  const slots = useQuery(slotsQuery(businessKey ?? '', serviceId ?? '', date))
  const send = () => {
    if (start === null) return
    propose.mutate(
      { id, date, start },
      {
        onSuccess: () => {
          onClose()
          showToast({ title: messages.moveSent, text: messages.moveSentText, tone: 'success' })
        },
        onError: () => setStart(null),
      },
    )
  }
  return (
    <Dialog
      open
      onClose={() => !propose.isPending && onClose()}
      shape="sheet"
      title={messages.moveTitle}
      description={messages.moveText(whenLabel(booking, now))}
      footer={
        <Button
          className="w-full"
          size="lg"
          disabled={start === null}
          pending={propose.isPending}
          onClick={send}
        >
          {start === null ? messages.chooseTime : messages.moveSend(`${formatDay(date)}, ${start}`)}
        </Button>
      }
    >
      <div className="grid gap-5">
        {propose.isError && (
          <Alert tone="danger" title={messages.moveFailed}>
            {refusalText(propose.error)}
          </Alert>
        )}
        <DayStep
          value={date}
          today={today}
          onChange={(day) => {
            setDate(day)
            setStart(null)
          }}
        />
        <QueryState
          query={slots}
          errorTitle={messages.slotsError}
          pending={
            <SkeletonGroup label={messages.slotsPending}>
              <Skeleton className="h-72 rounded-control" />
            </SkeletonGroup>
          }
        >
          {(all) => <SlotGrid slots={all} value={start} onChange={setStart} />}
        </QueryState>
      </div>
    </Dialog>
  )
}
