import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'

type KnownErrors<V extends FieldValues> = Record<string, { field?: FieldPath<V>; message: string }>

/**
 * Shows a server's error in the right place: a code that the form knows on its field, any other on
 * the whole form (`errors.root.server`).
 */
export function applyServerError<V extends FieldValues>(
  setError: UseFormSetError<V>,
  error: unknown,
  known: KnownErrors<V> = {},
): void {
  const match = known[toAppError(error).code]
  const message = match?.message ?? describeError(error)
  if (match?.field) setError(match.field, { type: 'server', message }, { shouldFocus: true })
  else setError('root.server', { type: 'server', message })
}
