import type { MoreTranslations } from '../translations'
import { auth } from './auth'
import { claims } from './claims'
import { plans } from './plans'
import { unsubscribe } from './unsubscribe'

/** Catalan texts of what few visitors open. */
const texts: MoreTranslations = { ...auth, claims, plans, unsubscribe }

Object.assign(globalThis.plazaTexts ?? {}, texts)
