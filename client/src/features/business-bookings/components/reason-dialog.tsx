import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Textarea } from '@/components/ui/textarea'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { messages } from '../messages'
import { type BusinessBooking, whenText } from '../model/business-booking'
import { type ReasonForm, reasonMax, reasonSchema } from '../model/forms'

type ReasonDialogProps = {
  booking: BusinessBooking
  action: 'decline' | 'cancel'
  onClose: () => void
  onConfirm: (reason: string) => void
}

/** Asks why a request is declined or a booking cancelled; the customer sees the reason. */
export function ReasonDialog({ booking, action, onClose, onConfirm }: ReasonDialogProps) {
  const formId = useId()
  const form = useForm<ReasonForm>({
    resolver: zodResolver(reasonSchema),
    defaultValues: { reason: '' },
  })
  const { close, guard } = useUnsavedDialog({
    isDirty: form.formState.isDirty,
    isPending: false,
    onClose,
  })
  const { customer, serviceName } = booking
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={messages.reasonTitle[action]}
        description={messages.reasonText(customer, serviceName, whenText(booking, new Date()))}
        footer={
          <>
            <Button variant="outline" onClick={close}>
              {messages.keep}
            </Button>
            <Button type="submit" form={formId} variant="danger">
              {messages.action[action]}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          noValidate
          onSubmit={(event) => void form.handleSubmit(({ reason }) => onConfirm(reason))(event)}
        >
          <FormField form={form} name="reason" label={messages.reason} help={messages.reasonHelp}>
            {(control) => <Textarea {...control} rows={3} maxLength={reasonMax} data-autofocus />}
          </FormField>
        </form>
      </Dialog>
      {guard}
    </>
  )
}
