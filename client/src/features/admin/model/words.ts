import { dateFormat } from '@/lib/formats'

/** Formats the day of an instant in the reader's time zone: '22 Nov 2026'. */
export function dayText(moment: string): string {
  return dateFormat('en-GB', { dateStyle: 'medium' }).format(new Date(moment))
}

/** Formats an instant in the reader's time zone: '22 Nov 2026, 13:05'. */
export function momentText(moment: string): string {
  return dateFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment))
}
