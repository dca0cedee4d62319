import { countText } from '@/lib/formats'
import type { Role } from '@/lib/role'
import { messages } from '../messages'
import type { BulkOutcome } from './bulk'
import { refusalText } from './refusal'
import { roleLabel, type User, userName } from './user'

const texts = messages.users

/**
 * The report of a bulk action: a complete success is a toast; anything less stays on the screen
 * until dismissed.
 */
export type Report = { isFull: boolean; title: string; text: string }

type Told = { one: string; several: string; oneText: string; severalText: string; skipped: string }

function report(users: readonly User[], outcome: BulkOutcome, told: Told): Report {
  const { done, settled, error } = outcome
  const skipped = settled.length - done
  if (error === null && skipped === 0) {
    return users.length === 1
      ? { isFull: true, title: told.one, text: told.oneText }
      : { isFull: true, title: told.several, text: told.severalText }
  }
  const left = countText(users.length - settled.length)
  const sentences = [
    ...(skipped > 0 ? [told.skipped] : []),
    ...(error === null ? [] : [texts.partlyText(refusalText(error), left)]),
  ]
  return {
    isFull: false,
    title: texts.partly(countText(done), countText(users.length)),
    text: sentences.join(' '),
  }
}

const nameOf = ([user]: readonly User[]) => (user ? userName(user) : '')

/** Reports a change of roles (ADMIN-USERS-11, ERR-58, ERR-59). */
export function roleReport(users: readonly User[], outcome: BulkOutcome, role: Role): Report {
  return report(users, outcome, {
    one: texts.roleUpdated,
    several: texts.rolesUpdated,
    oneText: texts.isNow(nameOf(users), roleLabel(role)),
    severalText: texts.areNow(countText(users.length), roleLabel(role)),
    skipped: texts.roleSkipped(countText(outcome.settled.length - outcome.done)),
  })
}

/** Reports a deletion of users (ADMIN-USERS-12, ERR-58, ERR-59). */
export function deleteReport(users: readonly User[], outcome: BulkOutcome): Report {
  return report(users, outcome, {
    one: texts.deleted,
    several: texts.allDeleted,
    oneText: texts.deletedText(nameOf(users)),
    severalText: texts.allDeletedText(countText(users.length)),
    skipped: texts.deleteSkipped(countText(outcome.settled.length - outcome.done)),
  })
}
