import { env } from './env'
import { numberFormat } from './formats'

/** A price in words, in the currency of the installation (C-22: USD unless set). */
export function formatMoney(
  amount: number,
  { currency = env.currency, locale = 'en-US' }: { currency?: string; locale?: string } = {},
): string {
  return numberFormat(locale, { style: 'currency', currency }).format(amount)
}

/** As formatMoney, but whole amounts without cents: '$25', '$25.50'. */
export const formatPrice = (amount: number) => formatMoney(amount).replace('.00', '')

/** As formatMoney, where there is little room: '$1.2K'. */
export function formatShortMoney(amount: number): string {
  return numberFormat('en-US', {
    style: 'currency',
    currency: env.currency,
    notation: 'compact',
    maximumFractionDigits: 1,
    minimumFractionDigits: 0,
  }).format(amount)
}
