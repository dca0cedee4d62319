import { toAppError } from '@/lib/errors'
import { detailsMessages as words } from '../details-messages'
import { type DetailsForm, detailColumns, fieldOf } from './details'

type Refusal = { field: keyof DetailsForm; message: string }

const constraintTexts: Partial<Record<keyof DetailsForm, string>> = {
  name: words.nameShort,
  type: words.typeMissing,
  tagline: words.taglineLong,
  city: words.locationMissing,
  address: words.addressSize,
  latitude: words.latitudeBad,
  longitude: words.longitudeBad,
  phone: words.phoneBad,
  website: words.websiteBad,
  imageUrl: words.imageUrlBad,
  languages: words.languagesBad,
  values: words.valuesBad,
}

// SQLSTATE check_violation; its message contains the constraint's name, which begins with table and
// column.
const checkCode = '23514'
const constraintName = /"businesses_([a-z_]+?)_(?:check|size)\d*"/

/** Returns the field that the database refused, with its message; null if it is none of them. */
export function fieldRefusal(error: unknown, allowed: number | null): Refusal | null {
  const { code, message } = toAppError(error)
  if (code === 'plan_limit_description') {
    return { field: 'description', message: words.descriptionLong(allowed ?? 500) }
  }
  if (code === 'too_many_renames') return { field: 'name', message: words.tooManyRenames }
  if (code !== checkCode) return null
  const name = constraintName.exec(message)?.[1]
  const column = detailColumns.find((one) => one === name)
  const field = column && fieldOf[column]
  const text = field && constraintTexts[field]
  return text === undefined || field === undefined ? null : { field, message: text }
}

/** Reports whether the plan's number of businesses is reached (SUB-08). */
export function isPlanFull(error: unknown): boolean {
  return toAppError(error).code === 'plan_limit_businesses'
}
