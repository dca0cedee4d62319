import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { showToast } from '@/components/ui/toast'
import { paths } from '@/lib/paths'
import { requestPhoneCode } from '../api/mutations'
import { messages } from '../messages'
import { type Notice, phoneFailure } from '../model/auth-error'
import { type Phone, phoneSchema } from '../model/phone'
import { AuthLink } from './auth-link'

/** Requests a code for a phone number (AUTH-03, AUTH-08). */
export function PhoneForm({ onSent }: { onSent: (phone: string) => void }) {
  const form = useForm<Phone>({ resolver: zodResolver(phoneSchema), defaultValues: { phone: '' } })
  const [notice, setNotice] = useState<Notice | null>(null)

  const handleSubmit = form.handleSubmit(async ({ phone }) => {
    setNotice(null)
    try {
      await requestPhoneCode(phone)
      showToast({ title: messages.codeSent, tone: 'success' })
      onSent(phone)
    } catch (error) {
      setNotice(phoneFailure(error))
    }
  })

  return (
    <form className="grid gap-4" onSubmit={(event) => void handleSubmit(event)} noValidate>
      {notice && (
        <Alert tone="danger" title={notice.title}>
          {notice.text}
        </Alert>
      )}
      <FormField form={form} name="phone" label={messages.phone} help={messages.phoneHelp}>
        {(control) => <Input {...control} type="tel" inputMode="tel" autoComplete="tel" />}
      </FormField>
      <Button type="submit" size="lg" pending={form.formState.isSubmitting}>
        {messages.sendCode}
      </Button>
      <AuthLink to={paths.auth}>{messages.useEmail}</AuthLink>
    </form>
  )
}
