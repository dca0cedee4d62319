import { useState } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { toAppError } from '@/lib/errors'
import type { Saved } from '@/lib/rows'
import type { Obstacle } from './obstacle-alert'

// SQLSTATE unique_violation.
const uniqueViolation = '23505'

type RowSave<Row, Form extends FieldValues> = {
  /** Null when adding one. */
  row: Row | null
  form: UseFormReturn<Form>
  save: (change: { typed: Form; before: Row | null }) => Promise<Saved<Row>>
  /** Describes a row in one line, to show what somebody else changed it to. */
  textOf: (row: Row) => string
  /** The field with a duplicate value, and its error message. */
  taken: (message: string) => { field: FieldPath<Form>; text: string }
  onSaved: (typed: Form) => void
}

/**
 * Submits a form that adds or edits a row, if it is unchanged since it was read; failures are shown
 * above the form.
 */
export function useRowSave<Row, Form extends FieldValues>(props: RowSave<Row, Form>) {
  const { row, form, save, textOf, taken, onSaved } = props
  const [before, setBefore] = useState(row)
  const [obstacle, setObstacle] = useState<Obstacle | null>(null)
  const send = async (typed: Form) => {
    setObstacle(null)
    try {
      const saved = await save({ typed, before })
      if (saved.state === 'saved') return onSaved(typed)
      if (saved.state === 'gone') return setObstacle({ kind: 'gone' })
      setBefore(saved.now)
      setObstacle({ kind: 'changed', now: textOf(saved.now) })
    } catch (error) {
      const { code, message } = toAppError(error)
      if (code !== uniqueViolation) return setObstacle({ kind: 'failed', error })
      const { field, text } = taken(message)
      form.setError(field, { message: text }, { shouldFocus: true })
    }
  }
  return { obstacle, send }
}
