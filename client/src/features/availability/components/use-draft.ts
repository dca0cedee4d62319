import { useState } from 'react'
import { showToast } from '@/components/ui/toast'
import { toAppError } from '@/lib/errors'
import { weekdays } from '@/lib/time'
import { useReload, useSaveAvailability } from '../api/mutations'
import { messages } from '../messages'
import { type Draft, draftOf, isSame, type StoredAvailability, weekToStore } from '../model/draft'
import { problemOf, sorted } from '../model/schedule'

/** A draft of an availability, saved only if the stored one has not changed since it was read. */
export function useDraft(businessId: string, stored: StoredAvailability, onSaved: () => void) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(stored))
  const save = useSaveAvailability(businessId)
  const reread = useReload(businessId)
  const store = (revision: number | null) =>
    save.mutate(
      { ...draft, schedule: weekToStore(draft, stored), revision },
      {
        onSuccess: () => {
          // Changes made during the save stay in the draft for the next save.
          setDraft((now) => (now === draft ? { ...draft, schedule: sorted(draft.schedule) } : now))
          showToast({ title: messages.saved, text: messages.savedText, tone: 'success' })
          onSaved()
        },
      },
    )
  const acceptStored = () =>
    reread.mutate(undefined, {
      onSuccess: (now) => {
        setDraft(draftOf(now))
        save.reset()
      },
    })
  return {
    draft,
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    isDirty: !isSame(draft, draftOf(stored)),
    isSuggestion: stored.schedule === null,
    hasProblem: weekdays.some((weekday) => problemOf(draft.schedule[weekday]) !== null),
    isPending: save.isPending || reread.isPending,
    error: reread.error ?? save.error,
    isChangedElsewhere: save.isError && toAppError(save.error).code === 'availability_changed',
    save: () => store(stored.revision),
    saveMine: () => store(null),
    acceptStored,
  }
}

export type AvailabilityDraft = ReturnType<typeof useDraft>
