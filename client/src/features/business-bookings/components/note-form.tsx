import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { useSaveNote } from '../api/mutations'
import { messages } from '../messages'
import { refusalText } from '../model/refusal'

/** Maximum length of a private note; same as booking_notes_note_size. */
const noteMax = 1000

/** The business's private note; the customer never sees it. */
export function NoteForm({ bookingId, note }: { bookingId: string; note: string }) {
  const [text, setText] = useState(note)
  const save = useSaveNote(bookingId)
  const isSaved = save.isSuccess && text.trim() === note
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(text)
      }}
    >
      <Field
        label={messages.note}
        help={messages.noteHelp}
        error={save.isError ? `${messages.noteFailed}. ${refusalText(save.error)}` : undefined}
      >
        <Textarea
          rows={3}
          maxLength={noteMax}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div className="flex items-center gap-3">
        <Button
          type="submit"
          variant="outline"
          disabled={text.trim() === note}
          pending={save.isPending}
        >
          {messages.noteSave}
        </Button>
        <span role="status" className="text-sm text-muted">
          {isSaved && messages.noteSaved}
        </span>
      </div>
    </form>
  )
}
