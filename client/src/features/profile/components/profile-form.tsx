import { zodResolver } from '@hookform/resolvers/zod'
import { type FormEvent, useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'
import { saveProfile } from '../api/mutations'
import { messages } from '../messages'
import { isSignedOut, profileSchema, type ProfileForm as Values } from '../model/profile'

export type ProfileFormProps = {
  userId: string
  fullName: string
  email: string
  phone: string
  /** Called when the new name was stored. */
  onSaved: (fullName: string) => void
}

/** The user's name; the mail address is shown but cannot be changed (PROFILE-02, PROFILE-03). */
export function ProfileForm({ userId, fullName, email, phone, onSaved }: ProfileFormProps) {
  const form = useForm<Values>({
    resolver: zodResolver(profileSchema),
    defaultValues: { fullName },
  })
  const [problem, setProblem] = useState<string | null>(null)

  const save = async (values: Values, submitted: string) => {
    setProblem(null)
    try {
      await saveProfile(userId, values)
      const typed = form.getValues('fullName')
      form.reset(values)
      // Text typed meanwhile must still be saved.
      if (typed !== submitted) form.setValue('fullName', typed, { shouldDirty: true })
      showToast({ title: messages.saved, tone: 'success' })
      onSaved(values.fullName)
    } catch (error) {
      setProblem(isSignedOut(error) ? messages.notAuthenticated : describeError(error))
    }
  }

  const handleSubmit = (event: FormEvent) => {
    // Read before the asynchronous validation: the user may keep typing.
    const submitted = form.getValues('fullName')
    void form.handleSubmit((values) => save(values, submitted))(event)
  }

  return (
    <form className="grid max-w-[30rem] gap-5" onSubmit={handleSubmit} noValidate>
      {problem !== null && (
        <Alert tone="danger" title={messages.saveError}>
          {problem}
        </Alert>
      )}
      <FormField form={form} name="fullName" label={messages.fullName}>
        {(control) => <Input {...control} autoComplete="name" />}
      </FormField>
      {email !== '' && (
        <Field label={messages.email} help={messages.emailHelp}>
          <Input value={email} type="email" readOnly className="bg-sunken text-muted" />
        </Field>
      )}
      {phone !== '' && (
        <Field label={messages.phone} help={messages.phoneHelp}>
          <Input value={`+${phone}`} type="tel" readOnly className="bg-sunken text-muted" />
        </Field>
      )}
      <Button
        type="submit"
        className="justify-self-start"
        disabled={!form.formState.isDirty}
        pending={form.formState.isSubmitting}
      >
        {messages.save}
      </Button>
    </form>
  )
}
