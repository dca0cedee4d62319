import type { AmenityProblem } from './model/amenities'
import type { CopyTarget } from './model/week'

const amenityProblems: Record<AmenityProblem, string> = {
  empty: 'Type a name first',
  double: 'This one is in the list already',
  full: 'A business can have 60 amenities',
}
const copyTargets: Record<CopyTarget, string> = {
  weekdays: 'Monday to Friday',
  all: 'Every day',
}

/** Texts of hours and amenities. */
export const partsMessages = {
  atOnce: 'Each change is saved at once.',
  saving: 'Saving...',
  saved: 'Saved',
  retry: 'Try Again',
  notSavedText: 'Your change still stands here, but visitors do not see it yet.',
  changedText: 'Your change still stands here, but is not saved yet.',
  keepMine: 'Save mine',
  takeTheirs: 'Use theirs',
  gone: 'This business was deleted meanwhile',

  hoursTitle: 'Opening hours',
  hoursText: 'When the door is open, on your own clock.',
  hoursNone: 'No hours are stored yet. This is a usual week to start from.',
  hoursAsText: (text: string) =>
    `Visitors read now: “${text}”. The week below would take its place.`,
  hoursStore: 'Save this week',
  hoursUpdated: 'Hours Updated',
  hoursFailed: 'Could not save business hours',
  hoursChanged: 'The hours were changed in another window',
  open: 'Open',
  closed: 'Closed',
  opensAt: (day: string) => `${day} opens at`,
  closesAt: (day: string) => `${day} closes at`,
  isOpen: (day: string) => `${day} open`,
  allDay: 'All day and night',
  overnight: 'Closes after midnight',
  copy: 'Copy',
  copyOf: (day: string) => `Copy ${day}’s hours`,
  copyTo: copyTargets,

  amenitiesTitle: 'Amenities',
  amenitiesText: 'What people find at your place. They filter searches by the suggested ones.',
  suggested: 'Suggested',
  custom: 'Your own',
  customHelp: 'Something that is not in the list, such as “Piano”.',
  customNone: 'None yet.',
  add: 'Add',
  remove: (name: string) => `Remove ${name}`,
  problems: amenityProblems,
  amenitiesUpdated: 'Amenities Updated',
  amenitiesFailed: 'Could not save amenities',
  amenitiesChanged: 'The amenities were changed in another window',
} as const
