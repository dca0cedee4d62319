import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'

/** The style of elements in the row of filters. */
export const chipClass =
  'inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border px-4 text-sm font-semibold whitespace-nowrap transition-colors'
export const chipOff = 'border-control bg-surface hover:bg-sunken'

type ChipProps = { isOn: boolean; onToggle: () => void; children: ReactNode }

/** A filter that toggles when pressed. */
export function Chip({ isOn, onToggle, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className={cn(chipClass, isOn ? 'border-primary bg-primary-soft text-primary' : chipOff)}
      onClick={onToggle}
    >
      {children}
      {isOn && <X className="-me-1 size-4" strokeWidth={1.75} aria-hidden />}
    </button>
  )
}
