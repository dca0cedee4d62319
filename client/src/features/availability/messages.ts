import { formatDuration } from '@/lib/time'

const dayMinutes = 24 * 60

function counted(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

/**
 * Formats a number of days in the largest unit without remainder: '10 days', '2 weeks', '1 year'.
 */
function daysText(days: number): string {
  if (days % 365 === 0) return counted(days / 365, 'year', 'years')
  return days % 7 === 0 && days < 28
    ? counted(days / 7, 'week', 'weeks')
    : counted(days, 'day', 'days')
}

function minutesText(minutes: number): string {
  return minutes % dayMinutes === 0 ? daysText(minutes / dayMinutes) : formatDuration(minutes)
}

/** Texts of the availability editor (METRICS-27 to METRICS-32). */
export const messages = {
  pending: 'Loading the availability',
  failed: 'The availability could not be loaded',
  weekly: 'Weekly Schedule',
  weeklyText:
    'When customers can book. Appointments start between 09:00 and 17:30, in steps of 30 minutes.',
  unsaved: 'No schedule was saved yet: customers book by your opening hours.',
  unsavedText: 'This is a suggestion to begin with. Change it, or save it as it is.',
  noHours: 'Your listing has no opening hours, so a saved schedule alone decides.',
  opening: (hours: string) => `Opening hours ${hours}`,
  openAllDay: 'Open all day',
  shut: 'Closed by your opening hours',
  outside: 'Times outside your opening hours cannot be booked.',
  days: {
    monday: 'Monday',
    tuesday: 'Tuesday',
    wednesday: 'Wednesday',
    thursday: 'Thursday',
    friday: 'Friday',
    saturday: 'Saturday',
    sunday: 'Sunday',
  },
  closed: 'Closed',
  from: (day: string, number: number) => `${day}, slot ${number}, from`,
  to: (day: string, number: number) => `${day}, slot ${number}, to`,
  addSlot: 'Add slot',
  addSlotTo: (day: string) => ` on ${day}`,
  remove: (day: string, number: number) => `Remove slot ${number} of ${day}`,
  problems: {
    order: 'A slot has to end after it starts.',
    overlap: 'Slots of a day must not overlap.',
  },
  blackout: 'Blackout Dates',
  blackoutText: 'Days without bookings, such as holidays.',
  noBlackout: 'No blackout dates set',
  addBlackout: 'Add a date',
  choose: 'Choose a day',
  removeDate: (day: string) => `Remove ${day}`,
  tooMany: 'At most 366 blackout dates can be set.',
  rules: 'Booking rules',
  rulesText:
    'They hold for customers who book. What you enter yourself may be sooner or further ahead, but still needs a free place. Bookings that you have already stay as they are.',
  rule: {
    notice: {
      label: 'Shortest notice',
      help: 'How long before the start customers can still book.',
      choice: (minutes: number) => (minutes === 0 ? 'Until it starts' : minutesText(minutes)),
    },
    ahead: {
      label: 'How far ahead',
      help: 'Up to how long from today customers can book.',
      choice: daysText,
    },
    buffer: {
      label: 'Time between bookings',
      help: 'Stays free after each, to tidy up or get ready.',
      choice: (minutes: number) => (minutes === 0 ? 'None' : minutesText(minutes)),
    },
    capacity: {
      label: 'At the same time',
      help: 'How many bookings at once: your staff, or chairs.',
      choice: (bookings: number) => counted(bookings, 'booking', 'bookings'),
    },
  },
  save: 'Save Availability',
  dirty: 'You have changes that are not saved.',
  saved: 'Availability saved',
  savedText: 'Customers see it at once.',
  notSaved: 'The availability was not saved',
  changed: 'The availability was changed in another window',
  changedText: 'Your changes still stand here, but are not saved yet.',
  saveMine: 'Save mine',
  takeTheirs: 'Use theirs',
  fix: 'Please correct the marked days first.',
  leaveTitle: 'Leave without saving?',
  leaveText: 'The changes to the availability are lost.',
  leave: 'Leave',
  stay: 'Stay',
} as const
