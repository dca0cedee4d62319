import { type FormEvent, useId, useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { describeError } from '@/lib/error-text'
import { useSaveCaption } from '../api/mutations'
import { messages } from '../messages'
import { captionMax, type Photo } from '../model/photo'

type CaptionDialogProps = {
  photo: Photo
  businessId: string
  onClose: () => void
  onChanged: () => void
}

/** Edits the caption of a photo. */
export function CaptionDialog({ photo, businessId, onClose, onChanged }: CaptionDialogProps) {
  const formId = useId()
  const save = useSaveCaption({ businessId, onChanged })
  const initial = photo.caption ?? ''
  const [caption, setCaption] = useState(initial)
  const { close, leave, guard } = useUnsavedDialog({
    isDirty: caption !== initial,
    isPending: save.isPending,
    onClose,
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ photo, caption }, { onSuccess: leave })
  }
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={initial === '' ? messages.addCaption : messages.editCaption}
        footer={
          <>
            <Button variant="outline" disabled={save.isPending} onClick={close}>
              Cancel
            </Button>
            <Button type="submit" form={formId} pending={save.isPending}>
              {messages.saveCaption}
            </Button>
          </>
        }
      >
        <form id={formId} className="grid gap-4" onSubmit={handleSubmit}>
          {save.error && (
            <Alert tone="danger" title={messages.captionFailed}>
              {describeError(save.error)}
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
      </Dialog>
      {guard}
    </>
  )
}
