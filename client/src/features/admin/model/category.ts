import * as z from 'zod/mini'
import { messages } from '../messages'

const texts = messages.categories
const maxName = 50

export type Category = { id: string; name: string; icon: string | null; created_at: string }

// Keyboards omit the variation selector for the coloured form.
const emoji = /^\p{RGI_Emoji}$/v

export function isEmoji(text: string): boolean {
  return emoji.test(text) || emoji.test(`${text}\uFE0F`)
}

/** A category as entered in the form (ADMIN-CAT-03). */
export const categorySchema = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, texts.nameMissing), z.maxLength(maxName, texts.nameLong)),
  icon: z.string().check(
    z.trim(),
    z.refine((text) => text === '' || isEmoji(text), texts.iconBad),
  ),
})
export type CategoryForm = z.infer<typeof categorySchema>

export function toForm(category: Category | null): CategoryForm {
  return { name: category?.name ?? '', icon: category?.icon ?? '' }
}

/** Describes a category in one line. */
export function categoryText({ name, icon }: Pick<Category, 'name' | 'icon'>): string {
  return icon === null ? name : `${icon} ${name}`
}
