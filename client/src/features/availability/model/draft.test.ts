import { expect, it } from 'vitest'
import { draftOf, type StoredAvailability, weekToStore } from './draft'
import { choicesOf } from './rules'
import { defaultSchedule, setOpen } from './schedule'

const none: StoredAvailability = {
  schedule: null,
  blackoutDates: [],
  rules: { notice: 0, ahead: 365, buffer: 0, capacity: 1 },
  revision: 0,
}
const saved = { ...none, schedule: defaultSchedule }

it('METRICS-32: a suggested week is stored when it is wanted, not along with other changes', () => {
  const draft = draftOf(none)
  expect(draft.schedule).toBe(defaultSchedule)
  expect(weekToStore(draft, none)).toBe(defaultSchedule)
  const rules = { ...draft.rules, capacity: 2 }
  expect(weekToStore({ ...draft, rules }, none)).toBeNull()
  expect(weekToStore({ ...draft, rules }, saved)).toBe(defaultSchedule)
  const schedule = { ...defaultSchedule, sunday: setOpen(defaultSchedule.sunday, true) }
  expect(weekToStore({ ...draft, rules, schedule }, none)).toBe(schedule)
})

it('the choices of a rule hold what is stored', () => {
  expect(choicesOf('capacity', 1)).toHaveLength(50)
  expect(choicesOf('buffer', 10)).toEqual([0, 5, 10, 15, 20, 30, 45, 60, 90, 120])
  expect(choicesOf('buffer', 25).slice(4, 7)).toEqual([20, 25, 30])
  expect(choicesOf('ahead', 400).at(-2)).toBe(400)
})
