import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { applyServerError } from '@/components/server-error'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { showToast } from '@/components/ui/toast'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { sendReport } from '../api/mutations'
import { messages, reasons } from '../dialog-messages'
import { type Reported, type ReportValues, reportSchema } from '../model/report'

type ReportDialogProps = { userId: string; reported: Reported; onClose: () => void }

const known = Object.fromEntries(
  Object.entries(messages.failures).map(([code, message]) => [code, { message }]),
)

/** Asks for the reason of a report, and sends it. */
export function ReportDialog({ userId, reported, onClose }: ReportDialogProps) {
  const formId = useId()
  const form = useForm<ReportValues>({
    resolver: zodResolver(reportSchema),
    defaultValues: { reason: '', details: '' },
  })
  const { errors, isDirty, isSubmitting } = form.formState
  const { close, leave, guard } = useUnsavedDialog({ isDirty, isPending: isSubmitting, onClose })
  const handleSubmit = form.handleSubmit(async (values) => {
    try {
      await sendReport(userId, reported, values)
    } catch (error) {
      applyServerError(form.setError, error, known)
      return
    }
    showToast({ title: messages.sent, text: messages.sentText, tone: 'success' })
    leave()
  })
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={messages.title(reported.name)}
        description={messages.text}
        footer={
          <>
            <Button variant="outline" disabled={isSubmitting} onClick={close}>
              {messages.cancel}
            </Button>
            <Button type="submit" form={formId} pending={isSubmitting}>
              {messages.send}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          noValidate
          className="grid gap-4"
          onSubmit={(event) => void handleSubmit(event)}
        >
          {errors.root?.server && <Alert tone="danger" title={errors.root.server.message ?? ''} />}
          <FormField form={form} name="reason" label={messages.reason}>
            {(control) => (
              <Select {...control} data-autofocus>
                <option value="">{messages.choose}</option>
                {reasons[reported.type].map((reason, index) => (
                  <option key={reason} value={reason}>
                    {messages.reasons[reported.type][index]}
                  </option>
                ))}
              </Select>
            )}
          </FormField>
          <FormField
            form={form}
            name="details"
            label={messages.details}
            help={messages.detailsHelp}
          >
            {(control) => <Textarea {...control} rows={4} />}
          </FormField>
        </form>
      </Dialog>
      {guard}
    </>
  )
}
