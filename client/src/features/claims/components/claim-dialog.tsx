import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { showToast } from '@/components/ui/toast'
import { useSendClaim } from '../api/mutations'
import { messages } from '../messages'
import { type ClaimForm, claimRefusal, claimSchema, verificationMethods } from '../model/claim'

type ClaimDialogProps = {
  business: { id: string; name: string }
  userId: string
  onClose: () => void
}

/** Who somebody is to a business, and how that can be checked. */
export function ClaimDialog({ business, userId, onClose }: ClaimDialogProps) {
  const formId = useId()
  const send = useSendClaim(business.id, userId)
  const form = useForm<ClaimForm>({
    resolver: zodResolver(claimSchema),
    defaultValues: { fullName: '', email: '', role: '', method: 'email_domain' },
  })
  const submit = form.handleSubmit((values) =>
    send.mutate(values, {
      onSuccess: () => {
        onClose()
        showToast({ title: messages.sent, text: messages.sentText, tone: 'success' })
      },
    }),
  )
  return (
    <Dialog
      open
      onClose={() => !send.isPending && onClose()}
      title={messages.dialogTitle}
      description={messages.dialogText(business.name)}
      footer={
        <>
          <Button variant="outline" disabled={send.isPending} onClick={onClose}>
            {messages.cancel}
          </Button>
          <Button type="submit" form={formId} pending={send.isPending}>
            {messages.send}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-5" noValidate onSubmit={(event) => void submit(event)}>
        {send.isError && <Alert tone="danger" title={claimRefusal(send.error)} />}
        <FormField form={form} name="fullName" label={messages.fullName}>
          {(control) => <Input {...control} autoComplete="name" data-autofocus />}
        </FormField>
        <FormField form={form} name="role" label={messages.role} help={messages.roleHelp}>
          {(control) => <Input {...control} autoComplete="organization-title" />}
        </FormField>
        <FormField form={form} name="email" label={messages.email} help={messages.emailHelp}>
          {(control) => <Input {...control} type="email" autoComplete="email" />}
        </FormField>
        <FormField form={form} name="method" label={messages.method}>
          {(control) => (
            <Select {...control}>
              {verificationMethods.map((method) => (
                <option key={method} value={method}>
                  {messages.methods[method]}
                </option>
              ))}
            </Select>
          )}
        </FormField>
      </form>
    </Dialog>
  )
}
