import { env } from './env'
import { numberFormat } from './formats'
import { language, locale as pageLocale } from './language'

// The documents write prices as in American English (C-22).
const moneyLocale = language === 'en' ? 'en-US' : pageLocale

/** Formats a price in the configured currency (C-22: USD unless set). */
export function formatMoney(
  amount: number,
  { currency = env.currency, locale = moneyLocale }: { currency?: string; locale?: string } = {},
): string {
  return numberFormat(locale, { style: 'currency', currency }).format(amount)
}

/** Like formatMoney, but whole amounts have no cents: '$25', '$25.50'. */
export const formatPrice = (amount: number) => formatMoney(amount).replace(/[.,]00(?!\d)/, '')

/** Like formatMoney, for small spaces: '$1.2K'. */
export function formatShortMoney(amount: number): string {
  return numberFormat(moneyLocale, {
    style: 'currency',
    currency: env.currency,
    notation: 'compact',
    maximumFractionDigits: 1,
    minimumFractionDigits: 0,
  }).format(amount)
}
