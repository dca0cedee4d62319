import { dateFormat } from '@/lib/formats'

/** Formats the day of an instant in the reader's time zone: '22 Nov 2026'. */
export function dayText(moment: string): string {
  return dateFormat('en-GB', { dateStyle: 'medium' }).format(new Date(moment))
}
