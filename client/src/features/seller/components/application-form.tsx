import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { applyServerError } from '@/components/server-error'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { showToast } from '@/components/ui/toast'
import { useApply } from '../api/mutations'
import { formMessages } from '../form-messages'
import { messages } from '../messages'
import { applicationSchema, type ApplicationForm as Values } from '../model/application'

export type ApplicationFormProps = {
  userId: string
  /** Suggested types of businesses; any other may be entered. */
  types: readonly string[]
}

const known = {
  '23505': { message: formMessages.alreadyPending },
  already_seller: { message: formMessages.alreadySeller },
}

/** The application form for sellers (SELLER-01). */
export function ApplicationForm({ userId, types }: ApplicationFormProps) {
  const typesId = useId()
  const apply = useApply(userId)
  const form = useForm<Values>({
    resolver: zodResolver(applicationSchema),
    defaultValues: { businessName: '', businessType: '', location: '', description: '' },
  })
  const handleSubmit = form.handleSubmit(async (values) => {
    try {
      await apply.mutateAsync(values)
      showToast({
        title: formMessages.submitted,
        text: messages.state.pending.text,
        tone: 'success',
      })
    } catch (error) {
      applyServerError(form.setError, error, known)
    }
  })
  const problem = form.formState.errors.root?.server?.message
  return (
    <form
      className="grid max-w-[34rem] gap-5"
      onSubmit={(event) => void handleSubmit(event)}
      noValidate
    >
      {problem !== undefined && (
        <Alert tone="danger" title={formMessages.notSent}>
          {problem}
        </Alert>
      )}
      <FormField form={form} name="businessName" label={messages.businessName}>
        {(control) => <Input {...control} autoComplete="organization" />}
      </FormField>
      <FormField
        form={form}
        name="businessType"
        label={messages.businessType}
        help={formMessages.businessTypeHelp}
      >
        {(control) => <Input {...control} list={typesId} autoComplete="off" />}
      </FormField>
      <datalist id={typesId}>
        {types.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <FormField
        form={form}
        name="location"
        label={messages.location}
        help={formMessages.locationHelp}
      >
        {(control) => <Input {...control} autoComplete="street-address" />}
      </FormField>
      <FormField
        form={form}
        name="description"
        label={formMessages.description}
        help={formMessages.descriptionHelp}
      >
        {(control) => <Textarea {...control} rows={5} />}
      </FormField>
      <Button
        type="submit"
        size="lg"
        className="justify-self-start max-sm:justify-self-stretch"
        pending={form.formState.isSubmitting}
      >
        {formMessages.submit}
      </Button>
    </form>
  )
}
