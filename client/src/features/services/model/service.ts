import * as z from 'zod/mini'
import { toAppError } from '@/lib/errors'
import { formatMoney } from '@/lib/money'
import { formatDuration } from '@/lib/time'
import { messages } from '../messages'

const maxPrice = 10_000
const maxMinutes = 480

function isNumber(text: string): boolean {
  return text !== '' && Number.isFinite(numberOf(text))
}

/** Parses a typed number; a comma is a decimal point. */
function numberOf(text: string): number {
  return Number(text.trim().replace(',', '.'))
}

// Checked only if the previous check passes: a text that is not a number has no range.
const onlyIf =
  (passes: (text: string) => boolean, then: (value: number) => boolean) => (text: string) =>
    !passes(text) || then(numberOf(text))

/** The validation rules of a service (RULE-16 to RULE-18); the upper limits are the database's. */
export const serviceSchema = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(2, messages.nameMissing), z.maxLength(100, messages.nameLong)),
  description: z.string().check(z.trim(), z.maxLength(500, messages.descriptionLong)),
  price: z.string().check(
    z.trim(),
    z.refine(isNumber, messages.priceBad),
    z.refine(
      onlyIf(isNumber, (price) => price >= 0 && price <= maxPrice),
      messages.priceRange,
    ),
    z.refine((text) => !/[.,]\d{3,}/.test(text), messages.priceStep),
  ),
  duration: z.string().check(
    z.trim(),
    z.refine((text) => /^-?\d+$/.test(text), messages.durationBad),
    z.refine(
      onlyIf(
        (text) => /^-?\d+$/.test(text),
        (minutes) => minutes >= 1 && minutes <= maxMinutes,
      ),
      messages.durationRange,
    ),
  ),
})
export type ServiceForm = z.infer<typeof serviceSchema>

export type ServiceValues = {
  name: string
  description: string | null
  price: number
  duration: number
}

export const emptyService: ServiceForm = { name: '', description: '', price: '', duration: '' }

export function toForm({ name, description, price, duration }: ServiceValues): ServiceForm {
  return {
    name,
    description: description ?? '',
    price: String(price),
    duration: String(duration),
  }
}

export function fromForm(form: ServiceForm): ServiceValues {
  return {
    name: form.name.trim(),
    description: form.description.trim() === '' ? null : form.description.trim(),
    price: numberOf(form.price),
    duration: numberOf(form.duration),
  }
}

/** Reports whether a service can be added: name, price and duration are filled in (OWNER-20). */
export function isComplete({ name, price, duration }: ServiceForm): boolean {
  return [name, price, duration].every((text) => text.trim() !== '')
}

/** Describes a service in one line. */
export function serviceText({ name, price, duration }: ServiceValues): string {
  return `${name}, ${formatMoney(price)}, ${formatDuration(duration)}`
}

export type ServiceRefusal = { field: keyof ServiceForm; message: string }

const constraintTexts: Record<keyof ServiceForm, string> = {
  name: messages.nameMissing,
  description: messages.descriptionLong,
  price: messages.priceRange,
  duration: messages.durationRange,
}
const fields = ['name', 'description', 'price', 'duration'] as const

/** Returns the field that the database refused (SQLSTATE 23514, check_violation). */
export function fieldRefusal(error: unknown): ServiceRefusal | null {
  const { code, message } = toAppError(error)
  if (code !== '23514') return null
  const field = fields.find((one) => message.includes(`"services_${one}_`))
  return field === undefined ? null : { field, message: constraintTexts[field] }
}

/** Reports whether the business has reached the maximum number of services. */
export function isFull(error: unknown): boolean {
  return toAppError(error).code === 'too_many_services'
}
