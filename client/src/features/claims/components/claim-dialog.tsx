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
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { useSendClaim } from '../api/mutations'
import { messages } from '../messages'
import {
  type ClaimForm,
  claimRefusal,
  claimSchemaOf,
  isPossible,
  mailHost,
  verificationMethods,
} from '../model/claim'

type Method = ClaimForm['method']

type ClaimDialogProps = {
  business: { id: string; name: string; phone: string | null }
  website: string | null
  userId: string
  onClose: () => void
}

/** Asks for the claimant's relation to the business, and how it can be verified. */
export function ClaimDialog({ business, website, userId, onClose }: ClaimDialogProps) {
  const formId = useId()
  const send = useSendClaim(business.id, userId)
  const published = { website, phone: business.phone }
  const ways = verificationMethods.filter((method) => isPossible(method, published))
  const form = useForm<ClaimForm>({
    resolver: zodResolver(claimSchemaOf(published)),
    defaultValues: { fullName: '', email: '', role: '', method: ways[0] ?? 'document_upload' },
  })
  const method = form.watch('method')
  const { close, leave, guard } = useUnsavedDialog({
    isDirty: form.formState.isDirty,
    isPending: send.isPending,
    onClose,
  })
  const submit = form.handleSubmit((values) =>
    send.mutate(values, {
      onSuccess: () => {
        leave()
        showToast({ title: messages.sent, text: messages.sentText, tone: 'success' })
      },
    }),
  )
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={messages.dialogTitle}
        description={messages.dialogText(business.name)}
        footer={
          <>
            <Button variant="outline" disabled={send.isPending} onClick={close}>
              {messages.cancel}
            </Button>
            <Button type="submit" form={formId} pending={send.isPending}>
              {messages.send}
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
          {send.isError && <Alert tone="danger" title={claimRefusal(send.error)} />}
          <FormField form={form} name="fullName" label={messages.fullName}>
            {(control) => <Input {...control} autoComplete="name" data-autofocus />}
          </FormField>
          <FormField form={form} name="role" label={messages.role} help={messages.roleHelp}>
            {(control) => <Input {...control} autoComplete="organization-title" />}
          </FormField>
          <FormField
            form={form}
            name="email"
            label={messages.email}
            help={emailHelp(method, mailHost(website))}
          >
            {(control) => <Input {...control} type="email" autoComplete="email" />}
          </FormField>
          <FormField
            form={form}
            name="method"
            label={messages.method}
            help={methodHelp(method, ways)}
          >
            {(control) => (
              <Select {...control}>
                {ways.map((way) => (
                  <option key={way} value={way}>
                    {messages.methods[way]}
                  </option>
                ))}
              </Select>
            )}
          </FormField>
        </form>
      </Dialog>
      {guard}
    </>
  )
}

function emailHelp(method: Method, host: string | null): string {
  return method === 'email_domain' && host !== null ? messages.emailAt(host) : messages.emailHelp
}

/** Explains the next step, and why other methods are not available. */
function methodHelp(method: Method, ways: readonly Method[]): string {
  return [
    messages.methodHelp[method],
    !ways.includes('email_domain') && messages.noWebsite,
    !ways.includes('phone_verification') && messages.noPhone,
  ]
    .filter(Boolean)
    .join(' ')
}
