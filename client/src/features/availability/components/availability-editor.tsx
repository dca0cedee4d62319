import { useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { UnsavedDialog } from '@/components/unsaved-dialog'
import { describeError } from '@/lib/errors'
import { type Weekday, weekdays, type Zone } from '@/lib/time'
import { useSaveAvailability } from '../api/mutations'
import { messages } from '../messages'
import type { OpeningHours } from '../model/opening'
import {
  type DaySchedule,
  defaultSchedule,
  problemOf,
  type Schedule,
  sorted,
} from '../model/schedule'
import { BlackoutDates } from './blackout-dates'
import { DayRow } from './day-row'

type AvailabilityEditorProps = {
  businessId: string
  stored: { schedule: Schedule | null; blackoutDates: string[] }
  zone: Zone
  hours: OpeningHours
  onSaved: () => void
}

/** The week and the blackout dates, stored together. */
export function AvailabilityEditor({
  businessId,
  stored,
  zone,
  hours,
  onSaved,
}: AvailabilityEditorProps) {
  const first = stored.schedule ?? defaultSchedule
  const [schedule, setSchedule] = useState<Schedule>(first)
  const [dates, setDates] = useState(stored.blackoutDates)
  const save = useSaveAvailability(businessId)
  const isDirty =
    JSON.stringify([schedule, dates]) !== JSON.stringify([first, stored.blackoutDates])
  const hasProblem = weekdays.some((weekday) => problemOf(schedule[weekday]) !== null)
  const isSuggestion = stored.schedule === null
  const setDay = (weekday: Weekday, day: DaySchedule) =>
    setSchedule((week) => ({ ...week, [weekday]: day }))
  const handleSave = () =>
    save.mutate(
      { schedule, blackoutDates: dates },
      {
        onSuccess: () => {
          setSchedule(sorted(schedule))
          showToast({ title: messages.saved, text: messages.savedText, tone: 'success' })
          onSaved()
        },
      },
    )
  return (
    <div className="grid gap-8">
      <section aria-labelledby="weekly" className="grid gap-4">
        <div className="grid gap-1">
          <h3 id="weekly" className="text-xl">
            {messages.weekly}
          </h3>
          <p className="max-w-text text-muted">{messages.weeklyText}</p>
        </div>
        {isSuggestion && <Alert title={messages.unsaved} />}
        {hours === null && <p className="text-sm text-muted">{messages.noHours}</p>}
        <ul className="divide-y divide-line rounded-panel border border-line bg-surface px-4 sm:px-5">
          {weekdays.map((weekday) => (
            <li key={weekday}>
              <DayRow
                weekday={weekday}
                day={schedule[weekday]}
                hours={hours}
                onChange={(day) => setDay(weekday, day)}
              />
            </li>
          ))}
        </ul>
      </section>
      <BlackoutDates dates={dates} zone={zone} onChange={setDates} />
      {save.isError && (
        <Alert tone="danger" title={messages.notSaved}>
          {describeError(save.error)}
        </Alert>
      )}
      <div className="sticky bottom-0 -mx-1 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t bg-ground px-1 py-3">
        <Button
          pending={save.isPending}
          disabled={hasProblem || !(isDirty || isSuggestion)}
          onClick={handleSave}
        >
          {messages.save}
        </Button>
        <p role="status" className="text-sm text-muted">
          {hasProblem ? messages.fix : isDirty && messages.dirty}
        </p>
      </div>
      <UnsavedDialog isDirty={isDirty && !save.isPending} words={messages} />
    </div>
  )
}
