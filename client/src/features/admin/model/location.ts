import * as z from 'zod/mini'
import { slugify } from '@/lib/text'
import { messages } from '../messages'

const texts = messages.locations
const maxName = 200
const maxSlug = 50

export type Location = { id: string; original: string; slug: string; created_at: string }

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

const original = z
  .string()
  .check(z.trim(), z.minLength(1, texts.nameMissing), z.maxLength(maxName, texts.nameLong))
const slug = z.string().check(
  z.trim(),
  z.refine((text) => text === '' || slugPattern.test(text), texts.slugBad),
  z.maxLength(maxSlug, texts.slugLong),
)

/** A location as edited: the slug is required (ADMIN-LOC-04, ADMIN-LOC-07). */
export const editedSchema = z.object({
  original,
  slug: slug.check(z.minLength(1, texts.slugMissing)),
})

/** A location as added: a blank slug is generated from the name (ADMIN-LOC-05, C-54). */
export const addedSchema = z.object({ original, slug }).check(
  z.refine((typed) => typed.slug !== '' || slugify(typed.original) !== '', {
    path: ['slug'],
    error: texts.slugUnmade,
  }),
)
export type LocationForm = z.infer<typeof editedSchema>

export function toForm(location: Location | null): LocationForm {
  return { original: location?.original ?? '', slug: location?.slug ?? '' }
}

/** Formats a slug as part of a URL (ADMIN-LOC-02). */
export function slugText(slug: string): string {
  return `/${slug}/`
}

/** Describes a location in one line. */
export function locationText(location: LocationForm): string {
  return `${location.original}, ${slugText(location.slug)}`
}

/** Returns the field with a duplicate value, from the name of the violated index in the message. */
export function takenField(message: string): keyof LocationForm {
  return message.includes('url_mappings_original_key') ? 'original' : 'slug'
}
