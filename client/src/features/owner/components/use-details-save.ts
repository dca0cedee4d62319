import { zodResolver } from '@hookform/resolvers/zod'
import { type BaseSyntheticEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { showToast } from '@/components/ui/toast'
import { saveBusiness } from '../api/mutations'
import type { EditedBusiness } from '../api/queries'
import { messages } from '../messages'
import { changesOf } from '../model/changes'
import {
  type DetailsColumns,
  type DetailsForm,
  detailColumns,
  detailsSchema,
  fromDetails,
  toDetails,
} from '../model/details'
import type { Place } from '../model/place'
import { fieldRefusal } from '../model/refusal'

/** Why a save failed. */
export type DetailsObstacle =
  | { kind: 'failed'; error: unknown }
  | { kind: 'gone' }
  | { kind: 'changed'; now: EditedBusiness; columns: (keyof DetailsColumns)[] }

type Options = {
  business: EditedBusiness
  places: readonly Place[]
  allowed: number | null
  /** Called with the stored version, even if somebody else saved it. */
  onStored: (business: EditedBusiness) => void
  onDone: () => void
}

export type DetailsSave = {
  form: UseFormReturn<DetailsForm>
  obstacle: DetailsObstacle | null
  isUnsaved: boolean
  submit: (event: BaseSyntheticEvent) => Promise<void>
  takeStored: () => void
}

/**
 * The details form of a stored business: writes only the changed columns, and never overwrites
 * somebody else's change (OWNER-06).
 */
export function useDetailsSave(options: Options): DetailsSave {
  const { business, places, allowed, onStored, onDone } = options
  const base = useRef(business)
  const [obstacle, setObstacle] = useState<DetailsObstacle | null>(null)
  const [isDone, setDone] = useState(false)
  const shown = toDetails(business, places)
  const form = useForm<DetailsForm>({
    resolver: zodResolver(detailsSchema(allowed, business.description?.trim() ?? '')),
    defaultValues: shown,
    // A cover selected in the photos tab is shown here, too; the input is kept.
    values: shown,
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  })
  const { isDirty } = form.formState

  const leave = () => {
    // The page's leave guard must be updated before navigating.
    flushSync(() => setDone(true))
    onDone()
  }

  const submit = form.handleSubmit(async (typed) => {
    setObstacle(null)
    const before = fromDetails(toDetails(base.current, places), places)
    const change = changesOf(before, fromDetails(typed, places))
    if (Object.keys(change).length === 0) return leave()
    try {
      const saved = await saveBusiness(base.current, change)
      if (saved.state === 'gone') return setObstacle({ kind: 'gone' })
      if (saved.state === 'changed') {
        const { now } = saved
        base.current = now
        onStored(now)
        const columns = detailColumns.filter((column) => saved.columns.includes(column))
        return setObstacle({ kind: 'changed', now, columns })
      }
      onStored(saved.business)
      showToast({ title: messages.updated, tone: 'success' })
      leave()
    } catch (error) {
      const refusal = fieldRefusal(error, allowed)
      if (refusal === null) return setObstacle({ kind: 'failed', error })
      form.setError(refusal.field, { message: refusal.message }, { shouldFocus: true })
    }
  })

  return {
    form,
    obstacle,
    isUnsaved: isDirty && !isDone,
    submit,
    takeStored: () => {
      form.reset(toDetails(base.current, places))
      setObstacle(null)
    },
  }
}
