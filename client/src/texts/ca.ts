import { business } from './ca/business'
import { directory } from './ca/directory'
import { home } from './ca/home'
import names from './ca/names.json'
import { shell } from './ca/shell'
import type { FirstTranslations } from './translations'

/** Catalan texts. */
const texts: FirstTranslations = {
  ...shell,
  ...home,
  ...directory,
  ...business,
  names,
}

globalThis.plazaTexts = texts
