import { type LucideIcon, X } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { countText } from '@/lib/formats'
import { messages } from '../messages'

type SelectionBarProps = {
  count: number
  /** The text that names the selection; 'n selected' by default. */
  text?: string
  /** How many of them are on other pages, or excluded by the filter. */
  elsewhere: number
  actions: readonly {
    label: string
    icon: LucideIcon
    tone?: 'danger' | undefined
    onSelect: () => void
  }[]
  onClear: () => void
}

/**
 * Actions for all selected rows; it floats at the bottom while any row is selected
 * (ADMIN-USERS-10).
 */
export function SelectionBar(props: SelectionBarProps) {
  const { count, elsewhere, actions, onClear } = props
  const text = props.text ?? messages.selected(countText(count))
  return (
    <section
      aria-label={text}
      className="sticky bottom-4 z-30 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3 shadow-float"
    >
      <p className="nums text-sm" role="status">
        <span className="font-semibold">{text}</span>
        {elsewhere > 0 && (
          <span className="text-muted">, {messages.elsewhere(countText(elsewhere))}</span>
        )}
      </p>
      <Button variant="quiet" size="sm" className="max-sm:ms-auto" onClick={onClear}>
        <X className="size-4.5" strokeWidth={1.75} aria-hidden />
        {messages.clear}
      </Button>
      <div className="flex grow flex-wrap gap-2 sm:justify-end">
        {actions.map(({ label, icon: Icon, tone, onSelect }) => (
          <Button
            key={label}
            variant={tone ?? 'outline'}
            size="sm"
            className="max-sm:grow"
            onClick={onSelect}
          >
            <Icon className="size-4.5" strokeWidth={1.75} aria-hidden />
            {label}
          </Button>
        ))}
      </div>
    </section>
  )
}
