import { toAppError } from '@/lib/errors'
import { importMessages as texts } from '../import-messages'
import { FileError } from './import-file'
import { refusalText } from './refusal'

/** Returns why a file cannot be read or imported. */
export function importRefusal(error: unknown): string {
  if (error instanceof FileError) return texts.problems[error.code](error.where)
  return texts.refusals[toAppError(error).code] ?? refusalText(error)
}
