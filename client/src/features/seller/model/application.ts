import * as z from 'zod/mini'
import { messages } from '../messages'

const text = (min: string, most: number, max: string) =>
  z.string().check(z.trim(), z.minLength(2, min), z.maxLength(most, max))

/** What is asked of somebody who wants to sell (SELLER-01). The table has the same bounds. */
export const applicationSchema = z.object({
  businessName: text(messages.nameShort, 100, messages.nameLong),
  businessType: text(messages.typeShort, 100, messages.typeLong),
  location: text(messages.locationShort, 200, messages.locationLong),
  description: z.string().check(z.trim(), z.maxLength(2000, messages.descriptionLong)),
})
export type ApplicationForm = z.infer<typeof applicationSchema>

export const applicationStates = ['none', 'pending', 'approved', 'rejected'] as const

/** How somebody stands on the way to selling (SELLER-02). */
export type ApplicationState = (typeof applicationStates)[number]

/** The state that a stored status stands for; an unknown one counts as still in review. */
export function stateOf(application: { status: string } | null): ApplicationState {
  if (application === null) return 'none'
  return applicationStates.find((state) => state === application.status) ?? 'pending'
}
