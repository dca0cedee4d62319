import type { messages as shell } from '@/app/layouts/messages'
import type { homeMessages } from '@/app/routes/home-messages'
import type { messages as missing } from '@/app/routes/missing-messages'
import type { messages as map } from '@/components/map/messages'
import type { messages as ui } from '@/components/ui/messages'
import type { discardWords as unsaved } from '@/components/use-unsaved-dialog'
import type { messages as auth } from '@/features/auth/messages'
import type { failureMessages as bookingFailures } from '@/features/bookings/failure-messages'
import type { messages as booking } from '@/features/bookings/panel-messages'
import type { messages as businesses } from '@/features/businesses/messages'
import type { messages as business } from '@/features/businesses/page-messages'
import type { messages as city } from '@/features/city/messages'
import type { messages as claims } from '@/features/claims/messages'
import type {
  messages as directory,
  categoryNames as homeCategories,
} from '@/features/directory/messages'
import type { messages as favorites } from '@/features/favorites/messages'
import type { messages as location, nearMessages as near } from '@/features/location/messages'
import type { messages as unsubscribe } from '@/features/notices/unsubscribe-messages'
import type { messages as plans } from '@/features/plans/messages'
import type { messages as reportDialog } from '@/features/reports/dialog-messages'
import type { messages as reports } from '@/features/reports/messages'
import type { alertMessages } from '@/features/search/alert-messages'
import type { messages as searchEmpty } from '@/features/search/empty-messages'
import type { filterMessages } from '@/features/search/filter-messages'
import type { mapMessages } from '@/features/search/map-messages'
import type { meaningMessages } from '@/features/search/meaning-messages'
import type { messages as search } from '@/features/search/messages'
import type { messages as session } from '@/features/session/messages'
import type { errorText } from '@/lib/error-text'
import type { secondFactorWords as secondFactor } from '@/lib/second-factor'
import type { zoneTexts } from '@/lib/zone-note'

/** The shape of texts without their wording. */
export type Texts<T> = T extends string
  ? string
  : T extends (...args: infer Args) => infer Result
    ? (...args: Args) => Texts<Result>
    : T extends object
      ? { readonly [Key in keyof T]: Texts<T[Key]> }
      : T

/** All texts of a language, by part. */
export type Translations = {
  ui: typeof ui
  unsaved: typeof unsaved
  errors: typeof errorText
  zones: typeof zoneTexts
  shell: typeof shell
  missing: typeof missing
  home: typeof homeMessages
  directory: typeof directory
  /** Names of the categories on home, by code. */
  homeCategories: typeof homeCategories
  location: typeof location
  near: typeof near
  businesses: typeof businesses
  business: typeof business
  city: typeof city
  search: typeof search
  searchAlerts: typeof alertMessages
  searchEmpty: typeof searchEmpty
  searchFilters: typeof filterMessages
  searchMap: typeof mapMessages
  searchMeaning: typeof meaningMessages
  map: typeof map
  booking: typeof booking
  bookingFailures: typeof bookingFailures
  claims: typeof claims
  favorites: typeof favorites
  reports: typeof reports
  reportDialog: typeof reportDialog
  auth: typeof auth
  secondFactor: typeof secondFactor
  session: typeof session
  plans: typeof plans
  unsubscribe: typeof unsubscribe
  /** Names of categories and amenities, by their stored English name. */
  names: Record<string, string>
}

/** Translations that are loaded when they are needed (lib/translated.ts). */
type More = 'auth' | 'secondFactor' | 'claims' | 'plans' | 'unsubscribe'
export type MoreTranslations = Pick<Translations, More>
/** Those that each page loads before the client. */
export type FirstTranslations = Omit<Translations, More>
