import { UnsavedDialog } from '@/components/unsaved-dialog'
import type { Zone } from '@/lib/time'
import { messages } from '../messages'
import type { StoredAvailability } from '../model/draft'
import type { OpeningHours } from '../model/opening'
import { BlackoutDates } from './blackout-dates'
import { RuleFields } from './rule-fields'
import { SaveBar } from './save-bar'
import { useDraft } from './use-draft'
import { WeekFields } from './week-fields'

type AvailabilityEditorProps = {
  businessId: string
  stored: StoredAvailability
  zone: Zone
  hours: OpeningHours
  onSaved: () => void
}

/** Edits the schedule, the blackout dates and the rules, which are stored together. */
export function AvailabilityEditor({
  businessId,
  stored,
  zone,
  hours,
  onSaved,
}: AvailabilityEditorProps) {
  const draft = useDraft(businessId, stored, onSaved)
  const { schedule, blackoutDates, rules } = draft.draft
  return (
    <div className="grid gap-8">
      <WeekFields
        schedule={schedule}
        hours={hours}
        isSuggestion={draft.isSuggestion}
        onChange={(week) => draft.change({ schedule: week })}
      />
      <BlackoutDates
        dates={blackoutDates}
        zone={zone}
        onChange={(dates) => draft.change({ blackoutDates: dates })}
      />
      <RuleFields
        rules={rules}
        stored={stored.rules}
        onChange={(changed) => draft.change({ rules: changed })}
      />
      <SaveBar draft={draft} />
      {draft.isDirty && <UnsavedDialog isDirty words={messages} />}
    </div>
  )
}
