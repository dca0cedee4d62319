import type { MoreTranslations } from '../translations'
import { auth } from './auth'
import { claims } from './claims'
import { plans } from './plans'

/** Spanish texts of what few visitors open. */
const texts: MoreTranslations = { ...auth, claims, plans }

Object.assign(globalThis.plazaTexts ?? {}, texts)
