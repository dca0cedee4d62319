import { env } from './env'
import { numberFormat } from './formats'

/** Formats a price in the configured currency (C-22: USD unless set). */
export function formatMoney(
  amount: number,
  { currency = env.currency, locale = 'en-US' }: { currency?: string; locale?: string } = {},
): string {
  return numberFormat(locale, { style: 'currency', currency }).format(amount)
}

/** Like formatMoney, but whole amounts have no cents: '$25', '$25.50'. */
export const formatPrice = (amount: number) => formatMoney(amount).replace('.00', '')

/** Like formatMoney, for small spaces: '$1.2K'. */
export function formatShortMoney(amount: number): string {
  return numberFormat('en-US', {
    style: 'currency',
    currency: env.currency,
    notation: 'compact',
    maximumFractionDigits: 1,
    minimumFractionDigits: 0,
  }).format(amount)
}
