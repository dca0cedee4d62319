import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { applyServerError } from '@/components/server-error'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Input } from '@/components/ui/input'
import { showToast } from '@/components/ui/toast'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { renamePasskey } from '../api/passkeys'
import { messages } from '../messages'
import type { Passkey } from '../model/passkey'
import { passkeyNameSchema } from '../model/passkey-name'

type PasskeyRenameProps = { passkey: Passkey; onClose: () => void; onRenamed: () => void }

/** Renames a passkey. */
export function PasskeyRename({ passkey, onClose, onRenamed }: PasskeyRenameProps) {
  const id = useId()
  const form = useForm({
    resolver: zodResolver(passkeyNameSchema),
    defaultValues: { name: passkey.name },
  })
  const handleSubmit = form.handleSubmit(async ({ name }) => {
    try {
      await renamePasskey({ id: passkey.id, name })
      showToast({ title: messages.passkeyRenamed, tone: 'success' })
      leave()
      onRenamed()
    } catch (error) {
      applyServerError(form.setError, error)
    }
  })
  const { errors, isDirty, isSubmitting } = form.formState
  const problem = errors.root?.server?.message
  const { close, leave, guard } = useUnsavedDialog({ isDirty, isPending: isSubmitting, onClose })
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={messages.passkeyRenameTitle}
        footer={
          <>
            <Button variant="outline" disabled={isSubmitting} onClick={close}>
              {messages.cancel}
            </Button>
            <Button type="submit" form={id} pending={isSubmitting}>
              {messages.passkeySave}
            </Button>
          </>
        }
      >
        <form
          id={id}
          className="grid gap-4"
          onSubmit={(event) => void handleSubmit(event)}
          noValidate
        >
          {problem !== undefined && (
            <Alert tone="danger" title={messages.passkeyChangeFailed}>
              {problem}
            </Alert>
          )}
          <FormField form={form} name="name" label={messages.passkeyName}>
            {(control) => <Input {...control} autoComplete="off" data-autofocus />}
          </FormField>
        </form>
      </Dialog>
      {guard}
    </>
  )
}
