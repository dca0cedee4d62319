import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { messages } from '../messages'

type FormBarProps = {
  saveLabel: string
  isPending: boolean
  onCancel: () => void
  /** Reasons why a save failed. */
  children?: ReactNode
}

/** The actions of a long form, always visible within it. */
export function FormBar({ saveLabel, isPending, onCancel, children }: FormBarProps) {
  return (
    <div className="sticky bottom-0 z-10 grid gap-3 border-line border-t bg-ground py-4">
      {children}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="outline" disabled={isPending} onClick={onCancel}>
          {messages.cancel}
        </Button>
        <Button type="submit" pending={isPending}>
          {saveLabel}
        </Button>
      </div>
    </div>
  )
}

/** Keeps a focused field from being covered by the bar. */
export const formClass = 'grid gap-8 [&_:is(input,select,textarea)]:scroll-mb-36'
