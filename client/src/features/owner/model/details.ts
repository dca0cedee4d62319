import * as z from 'zod/mini'
import { detailsMessages as words } from '../details-messages'
import { elsewhere, type Place, readLocation, writeLocation } from './place'

const maxDescription = 20_000

// Same as private.is_phone: digits, spaces, dashes, brackets, one leading plus (RULE-07, C-47).
const phonePattern = /^\+?[0-9 ()-]+$/
function isPhone(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '').length
  return phonePattern.test(text) && text.length <= 24 && digits >= 7 && digits <= 15
}

// Same as private.is_public_url (RULE-08).
const publicUrl =
  /^https?:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\.?(:[0-9]{1,5})?([/?#][^\s<>"]*)?$/i
const privateHost =
  /^https?:\/\/([^/?#]*\.)?(localhost|local|localdomain|internal|intranet|lan|home|corp|test|invalid)\.?([:/?#]|$)/i
function isPublicUrl(text: string): boolean {
  return text.length <= 2048 && publicUrl.test(text) && !privateHost.test(text)
}

// Same as private.is_web_address (S-40): http(s), or a path of this site, as uploaded photos have.
const webAddress = /^https?:\/\/[^\s/?#<>"]+[^\s<>"]*$/i
const sitePath = /^\/[^/\\\s<>"][^\s<>"]*$/
function isImageUrl(text: string): boolean {
  return text.length <= 2048 && (webAddress.test(text) || sitePath.test(text))
}

function isWithin(text: string, limit: number): boolean {
  return text !== '' && Math.abs(Number(text.replace(',', '.'))) <= limit
}

/** Splits a comma-separated text. */
function toList(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

const isShortList = (limit: number) => (text: string) => {
  const list = toList(text)
  return list.length <= 30 && list.every((one) => one.length <= limit)
}

const trimmed = z.string().check(z.trim())
/** A text that may be empty; otherwise it must pass the check. */
const optional = (passes: (text: string) => boolean, message: string) =>
  trimmed.check(z.refine((text) => text === '' || passes(text), message))

const fields = z.object({
  name: trimmed.check(
    z.minLength(2, words.nameShort),
    z.maxLength(100, words.nameLong),
    z.refine((text) => !/[<>]/.test(text), words.nameMarkup),
  ),
  type: trimmed.check(z.minLength(2, words.typeMissing), z.maxLength(100, words.typeMissing)),
  tagline: optional((text) => text.length <= 160, words.taglineLong),
  description: trimmed,
  city: z.string().check(z.minLength(2, words.locationMissing)),
  area: trimmed.check(z.maxLength(150, words.locationLong)),
  address: optional((text) => text.length >= 5 && text.length <= 200, words.addressSize),
  latitude: optional((text) => isWithin(text, 90), words.latitudeBad),
  longitude: optional((text) => isWithin(text, 180), words.longitudeBad),
  phone: optional(isPhone, words.phoneBad),
  website: optional(isPublicUrl, words.websiteBad),
  imageUrl: optional(isImageUrl, words.imageUrlBad),
  languages: optional(isShortList(50), words.languagesBad),
  values: optional(isShortList(100), words.valuesBad),
})
export type DetailsForm = z.infer<typeof fields>

/**
 * The validation rules of the form (RULE-09 to RULE-15); the plan limits the description's length.
 */
export function detailsSchema(allowed: number | null, storedDescription: string) {
  const limit = Math.min(allowed ?? maxDescription, maxDescription)
  const also = { when: () => true }
  return fields.check(
    z.refine((form: DetailsForm) => form.city !== elsewhere || form.area.trim().length >= 2, {
      message: words.locationMissing,
      path: ['area'],
      ...also,
    }),
    z.refine((form: DetailsForm) => form.longitude.trim() !== '' || form.latitude.trim() === '', {
      message: words.positionHalf,
      path: ['longitude'],
      ...also,
    }),
    z.refine((form: DetailsForm) => form.latitude.trim() !== '' || form.longitude.trim() === '', {
      message: words.positionHalf,
      path: ['latitude'],
      ...also,
    }),
    // A stored description that is already longer is accepted, as the plan was larger before.
    z.refine(
      ({ description }: DetailsForm) =>
        description.trim().length <= limit || description.trim() === storedDescription,
      { message: words.descriptionLong(limit), path: ['description'], ...also },
    ),
  )
}

/** The columns that the details form writes. */
export type DetailsColumns = {
  name: string
  type: string
  tagline: string | null
  description: string | null
  location: string
  address: string | null
  latitude: number
  longitude: number
  phone: string | null
  website: string | null
  image_url: string | null
  languages: string[] | null
  company_values: string[] | null
}

/** A new, empty business. */
export const emptyDetails: DetailsForm = {
  name: '',
  type: '',
  tagline: '',
  description: '',
  city: '',
  area: '',
  address: '',
  latitude: '',
  longitude: '',
  phone: '',
  website: '',
  imageUrl: '',
  languages: '',
  values: '',
}

/** Converts the stored columns to form values. Latitude and longitude 0 mean no position. */
export function toDetails(stored: DetailsColumns, places: readonly Place[]): DetailsForm {
  const hasPosition = stored.latitude !== 0 || stored.longitude !== 0
  return {
    name: stored.name,
    type: stored.type,
    tagline: stored.tagline ?? '',
    description: stored.description ?? '',
    ...readLocation(stored.location, places),
    address: stored.address ?? '',
    latitude: hasPosition ? String(stored.latitude) : '',
    longitude: hasPosition ? String(stored.longitude) : '',
    phone: stored.phone ?? '',
    website: stored.website ?? '',
    imageUrl: stored.image_url ?? '',
    languages: (stored.languages ?? []).join(', '),
    values: (stored.company_values ?? []).join(', '),
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
const listOrNull = (text: string) => (toList(text).length === 0 ? null : toList(text))
const numberOf = (text: string) => Number(text.trim().replace(',', '.'))

/** Converts form values to columns. */
export function fromDetails(form: DetailsForm, places: readonly Place[]): DetailsColumns {
  return {
    name: form.name.trim(),
    type: form.type.trim(),
    tagline: orNull(form.tagline),
    description: orNull(form.description),
    location: writeLocation(form, places),
    address: orNull(form.address),
    latitude: numberOf(form.latitude),
    longitude: numberOf(form.longitude),
    phone: orNull(form.phone),
    website: orNull(form.website),
    image_url: orNull(form.imageUrl),
    languages: listOrNull(form.languages),
    company_values: listOrNull(form.values),
  }
}

/** The form field of each column. */
export const fieldOf: Record<keyof DetailsColumns, keyof DetailsForm> = {
  name: 'name',
  type: 'type',
  tagline: 'tagline',
  description: 'description',
  location: 'city',
  address: 'address',
  latitude: 'latitude',
  longitude: 'longitude',
  phone: 'phone',
  website: 'website',
  image_url: 'imageUrl',
  languages: 'languages',
  company_values: 'values',
}

export const detailColumns = [
  'name',
  'type',
  'tagline',
  'description',
  'location',
  'address',
  'latitude',
  'longitude',
  'phone',
  'website',
  'image_url',
  'languages',
  'company_values',
] as const satisfies readonly (keyof DetailsColumns)[]
