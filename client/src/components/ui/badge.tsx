import type { ReactNode } from 'react'
import { variants } from '@/lib/cn'

const look = variants(
  'inline-flex items-center gap-1 rounded-chip px-2 py-0.5 text-xs font-semibold whitespace-nowrap',
  {
    tone: {
      neutral: 'bg-sunken text-muted',
      primary: 'bg-primary-soft text-primary',
      success: 'bg-success-soft text-success',
      warning: 'bg-warning-soft text-warning',
      danger: 'bg-danger-soft text-danger',
    },
  },
  { tone: 'neutral' },
)

export type BadgeTone = NonNullable<NonNullable<Parameters<typeof look>[0]>['tone']>

/** A short fact about the item next to it: a state, a count. */
export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: BadgeTone
  className?: string
  children: ReactNode
}) {
  return <span className={look({ tone }, className)}>{children}</span>
}
