import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { describeError } from '@/lib/error-text'
import { useFocusOn } from '@/lib/use-focus-on'
import { messages } from '../messages'
import type { AvailabilityDraft } from './use-draft'

/** Saves the draft, and shows the result. */
export function SaveBar({ draft }: { draft: AvailabilityDraft }) {
  const { isDirty, isSuggestion, hasProblem, isPending, error } = draft
  const bar = useFocusOn<HTMLDivElement>(String(draft.isChangedElsewhere))
  return (
    <>
      {draft.isChangedElsewhere ? (
        <ChangedElsewhere draft={draft} />
      ) : (
        error !== null && (
          <Alert tone="danger" title={messages.notSaved}>
            {describeError(error)}
          </Alert>
        )
      )}
      <div
        ref={bar}
        tabIndex={-1}
        className="sticky bottom-0 -mx-1 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t bg-ground px-1 py-3 outline-none"
      >
        <Button
          pending={isPending}
          disabled={hasProblem || draft.isChangedElsewhere || !(isDirty || isSuggestion)}
          onClick={draft.save}
        >
          {messages.save}
        </Button>
        <p role="status" className="text-sm text-muted">
          {hasProblem ? messages.fix : isDirty && messages.dirty}
        </p>
      </div>
    </>
  )
}

/** Shown if another window has saved since this draft was loaded. */
function ChangedElsewhere({ draft }: { draft: AvailabilityDraft }) {
  return (
    <Alert
      tone="danger"
      title={messages.changed}
      action={
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" size="sm" disabled={draft.isPending} onClick={draft.saveMine}>
            {messages.saveMine}
          </Button>
          <Button
            variant="outline"
            size="sm"
            disabled={draft.isPending}
            onClick={draft.acceptStored}
          >
            {messages.takeTheirs}
          </Button>
        </div>
      }
    >
      {messages.changedText}
    </Alert>
  )
}
