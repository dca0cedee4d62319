import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { messages } from '../messages'
import { refusalText } from '../model/refusal'
import type { Note } from './use-note'

/** Maximum length of a private note; same as booking_notes_note_size. */
const noteMax = 1000

/** The business's private note; the customer never sees it. */
export function NoteForm({ note }: { note: Note }) {
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        note.save()
      }}
    >
      <Field
        label={messages.note}
        help={messages.noteHelp}
        error={note.error ? `${messages.noteFailed}. ${refusalText(note.error)}` : undefined}
      >
        <Textarea
          rows={3}
          maxLength={noteMax}
          value={note.text}
          onChange={(event) => note.change(event.target.value)}
        />
      </Field>
      <div className="flex items-center gap-3">
        <Button type="submit" variant="outline" disabled={!note.isDirty} pending={note.isPending}>
          {messages.noteSave}
        </Button>
        <span role="status" className="text-sm text-muted">
          {note.isSaved && messages.noteSaved}
        </span>
      </div>
    </form>
  )
}
