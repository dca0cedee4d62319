import { type KeyboardEvent, useId, useRef } from 'react'
import { cn } from '@/lib/cn'
import { groupSlots, type Slot } from '../model/slots'
import { messages } from '../panel-messages'

type SlotGridProps = {
  slots: readonly Slot[]
  /** The start of the selected slot. */
  value: string | null
  onChange: (start: string) => void
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/**
 * The slots of a day, grouped by part of the day. Unavailable slots stay visible, with the reason.
 */
export function SlotGrid({ slots, value, onChange }: SlotGridProps) {
  const id = useId()
  const grid = useRef<HTMLDivElement>(null)
  const free = slots.filter((slot) => slot.reason === null)
  const stop = (free.find((slot) => slot.start === value) ?? free[0] ?? slots[0])?.start

  const handleKey = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const all = [...(grid.current?.querySelectorAll<HTMLElement>('[role="radio"]') ?? [])]
    const at = all.findIndex((slot) => slot === document.activeElement)
    all[at + step]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move through all groups below
    <div ref={grid} className="grid gap-4" onKeyDown={handleKey}>
      {groupSlots(slots).map((group) => (
        <div key={group.part} className="grid gap-2">
          <h4 id={`${id}-${group.part}`} className="text-sm font-semibold">
            {messages.parts[group.part]}
          </h4>
          <div
            role="radiogroup"
            aria-labelledby={`${id}-${group.part}`}
            className="grid grid-cols-3 gap-2"
          >
            {group.slots.map((slot) => (
              <SlotButton
                key={slot.start}
                slot={slot}
                isChosen={slot.start === value}
                isStop={slot.start === stop}
                onChoose={() => onChange(slot.start)}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

type SlotButtonProps = { slot: Slot; isChosen: boolean; isStop: boolean; onChoose: () => void }

function SlotButton({ slot, isChosen, isStop, onChoose }: SlotButtonProps) {
  const { start, reason } = slot
  return (
    // biome-ignore lint/a11y/useSemanticElements: a disabled native radio could not be focused to read the reason
    <button
      type="button"
      role="radio"
      aria-checked={isChosen}
      aria-disabled={reason !== null || undefined}
      aria-label={reason === null ? start : `${start}, ${messages.reasons[reason]}`}
      tabIndex={isStop ? 0 : -1}
      className={cn(
        'nums grid min-h-11 content-center rounded-control border text-base leading-tight transition-colors',
        reason !== null && 'border-transparent bg-sunken text-muted',
        reason === null && !isChosen && 'border-control bg-surface hover:border-primary',
        isChosen && 'border-primary bg-primary-soft font-semibold text-primary ring-1 ring-primary',
      )}
      onClick={() => reason === null && onChoose()}
    >
      {/* A slot that was available once is struck through; one that is never offered is not. */}
      <span className={cn((reason === 'taken' || reason === 'past') && 'line-through')}>
        {start}
      </span>
      {reason !== null && <span className="text-xs">{messages.marks[reason]}</span>}
    </button>
  )
}
