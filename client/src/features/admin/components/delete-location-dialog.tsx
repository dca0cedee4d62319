import { ConfirmDialog } from '@/components/confirm-dialog'
import { Alert } from '@/components/ui/alert'
import { useDeleteLocation } from '../api/locations'
import { messages } from '../messages'
import type { Location } from '../model/location'
import { refusalText } from '../model/refusal'

const texts = messages.locations

type DeleteLocationDialogProps = {
  location: Location
  /** False if it was already deleted. */
  onDone: (isDeleted: boolean) => void
  onClose: () => void
}

/** Asks for confirmation before a location is deleted (ADMIN-LOC-03, RULE-28). */
export function DeleteLocationDialog({ location, onDone, onClose }: DeleteLocationDialogProps) {
  const remove = useDeleteLocation()
  return (
    <ConfirmDialog
      open
      onClose={() => !remove.isPending && onClose()}
      title={texts.deleteTitle(location.original)}
      confirmLabel={texts.deleteConfirm}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(location, { onSuccess: onDone })}
      text={
        <div className="grid gap-5">
          {remove.isError && (
            <Alert tone="danger" title={texts.deleteError}>
              {refusalText(remove.error)}
            </Alert>
          )}
          <p>
            {texts.deleteText(location.slug)} {messages.final}
          </p>
        </div>
      }
    />
  )
}
