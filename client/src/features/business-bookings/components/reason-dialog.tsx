import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Textarea } from '@/components/ui/textarea'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { useAnswer } from '../api/mutations'
import { messages } from '../messages'
import { type BusinessBooking, whenText } from '../model/business-booking'
import { type ReasonForm, reasonMax, reasonSchema } from '../model/forms'
import { refusalText } from '../model/refusal'

type ReasonDialogProps = {
  booking: BusinessBooking
  action: 'decline' | 'cancel'
  onClose: () => void
}

/** Asks why a request is declined or a booking cancelled; the customer sees the reason. */
export function ReasonDialog({ booking, action, onClose }: ReasonDialogProps) {
  const formId = useId()
  const form = useForm<ReasonForm>({
    resolver: zodResolver(reasonSchema),
    defaultValues: { reason: '' },
  })
  const answer = useAnswer({ onAnswered: () => leave() })
  const { close, leave, guard } = useUnsavedDialog({
    isDirty: form.formState.isDirty,
    isPending: answer.isPending,
    onClose,
  })
  const submit = form.handleSubmit(({ reason }) => answer.mutate({ booking, action, reason }))
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
            <Button variant="outline" disabled={answer.isPending} onClick={close}>
              {messages.keep}
            </Button>
            <Button type="submit" form={formId} variant="danger" pending={answer.isPending}>
              {messages.action[action]}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          className="grid gap-5"
          noValidate
          onSubmit={(event) => void submit(event)}
        >
          {answer.isError && (
            <Alert tone="danger" title={messages.failed}>
              {refusalText(answer.error)}
            </Alert>
          )}
          <FormField form={form} name="reason" label={messages.reason} help={messages.reasonHelp}>
            {(control) => <Textarea {...control} rows={3} maxLength={reasonMax} data-autofocus />}
          </FormField>
        </form>
      </Dialog>
      {guard}
    </>
  )
}
