import { Trash2, UserCog, X } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { countText } from '@/lib/formats'
import { messages } from '../messages'

const texts = messages.users

type SelectionBarProps = {
  count: number
  /** How many of them are on other pages, or excluded by the filter. */
  elsewhere: number
  onChangeRole: () => void
  onDelete: () => void
  onClear: () => void
}

/**
 * Actions for all selected rows; it floats at the bottom while any row is selected
 * (ADMIN-USERS-10).
 */
export function SelectionBar(props: SelectionBarProps) {
  const { count, elsewhere, onChangeRole, onDelete, onClear } = props
  return (
    <section
      aria-label={texts.selected(countText(count))}
      className="sticky bottom-4 z-30 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3 shadow-float"
    >
      <p className="nums text-sm" role="status">
        <span className="font-semibold">{texts.selected(countText(count))}</span>
        {elsewhere > 0 && (
          <span className="text-muted">, {texts.elsewhere(countText(elsewhere))}</span>
        )}
      </p>
      <Button variant="quiet" size="sm" className="max-sm:ms-auto" onClick={onClear}>
        <X className="size-4.5" strokeWidth={1.75} aria-hidden />
        {texts.clear}
      </Button>
      <div className="flex grow gap-2 sm:justify-end">
        <Button variant="outline" size="sm" className="max-sm:grow" onClick={onChangeRole}>
          <UserCog className="size-4.5" strokeWidth={1.75} aria-hidden />
          {texts.changeRole}
        </Button>
        <Button variant="danger" size="sm" className="max-sm:grow" onClick={onDelete}>
          <Trash2 className="size-4.5" strokeWidth={1.75} aria-hidden />
          {texts.delete}
        </Button>
      </div>
    </section>
  )
}
