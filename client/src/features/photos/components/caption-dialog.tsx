import { type FormEvent, useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { describeError } from '@/lib/error-text'
import { useSaveCaption } from '../api/mutations'
import { messages } from '../messages'
import { captionMax, type Photo } from '../model/photo'

type CaptionDialogProps = {
  /** The photo to edit; null: closed. */
  photo: Photo | null
  businessId: string
  onClose: () => void
  onChanged: () => void
}

const formId = 'photo-caption'

/** Edits the caption of a photo. */
export function CaptionDialog({ photo, businessId, onClose, onChanged }: CaptionDialogProps) {
  const save = useSaveCaption({ businessId, onChanged })
  const handleClose = () => {
    save.reset()
    onClose()
  }
  return (
    <Dialog
      open={photo !== null}
      onClose={handleClose}
      title={photo?.caption ? messages.editCaption : messages.addCaption}
      footer={
        <>
          <Button variant="outline" onClick={handleClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} pending={save.isPending}>
            {messages.saveCaption}
          </Button>
        </>
      }
    >
      {photo && (
        <CaptionForm
          key={photo.id}
          initial={photo.caption ?? ''}
          error={save.error}
          onSubmit={(caption) => save.mutate({ photo, caption }, { onSuccess: handleClose })}
        />
      )}
    </Dialog>
  )
}

type CaptionFormProps = {
  initial: string
  error: Error | null
  onSubmit: (caption: string) => void
}

function CaptionForm({ initial, error, onSubmit }: CaptionFormProps) {
  const [caption, setCaption] = useState(initial)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(caption)
  }
  return (
    <form id={formId} className="grid gap-4" onSubmit={handleSubmit}>
      {error && (
        <Alert tone="danger" title={messages.captionFailed}>
          {describeError(error)}
        </Alert>
      )}
      <Field label={messages.caption} help={messages.captionLong}>
        <Input
          data-autofocus
          value={caption}
          maxLength={captionMax}
          onChange={(event) => setCaption(event.target.value)}
        />
      </Field>
    </form>
  )
}
