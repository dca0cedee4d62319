import { dateFormat } from '@/lib/formats'

/** The day of a moment on the reader's own clock: '22 Nov 2026'. */
export function dayText(moment: string): string {
  return dateFormat('en-GB', { dateStyle: 'medium' }).format(new Date(moment))
}
