import { business } from './es/business'
import { directory } from './es/directory'
import names from './es/names.json'
import { shell } from './es/shell'
import type { FirstTranslations } from './translations'

/** Spanish texts of all pages but home, which is written in Spanish. */
const texts: Omit<FirstTranslations, 'home' | 'homeCategories' | 'directory' | 'near'> = {
  ...shell,
  ...directory,
  ...business,
  names,
}

globalThis.plazaTexts = texts
