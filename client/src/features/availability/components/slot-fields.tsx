import { Trash2 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { messages } from '../messages'
import { endTimes, type Slot, startTimes } from '../model/schedule'

type SlotFieldsProps = {
  slot: Slot
  day: string
  number: number
  /** The only slot of an open day cannot be removed (METRICS-29). */
  canRemove: boolean
  onChange: (change: Partial<Slot>) => void
  onRemove: () => void
}

/** Start and end of a slot, and a button to remove it. */
export function SlotFields({ slot, day, number, canRemove, onChange, onRemove }: SlotFieldsProps) {
  return (
    <div className="nums flex items-center gap-2">
      <Select
        aria-label={messages.from(day, number)}
        value={slot.start}
        onChange={(event) => onChange({ start: event.target.value })}
      >
        {startTimes.map((time) => (
          <option key={time}>{time}</option>
        ))}
      </Select>
      <span aria-hidden>–</span>
      <Select
        aria-label={messages.to(day, number)}
        value={slot.end}
        onChange={(event) => onChange({ end: event.target.value })}
      >
        {endTimes.map((time) => (
          <option key={time}>{time}</option>
        ))}
      </Select>
      <Button
        variant="quiet"
        size="icon"
        disabled={!canRemove}
        title={messages.remove(day, number)}
        onClick={onRemove}
      >
        <Trash2 className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.remove(day, number)}</span>
      </Button>
    </div>
  )
}
