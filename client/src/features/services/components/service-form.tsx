import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { type FieldErrors, useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { showToast } from '@/components/ui/toast'
import { env } from '@/lib/env'
import { describeError } from '@/lib/error-text'
import { messages } from '../messages'
import {
  type ServiceForm as Form,
  fieldRefusal,
  fromForm,
  isComplete,
  isFull,
  type ServiceValues,
  serviceSchema,
} from '../model/service'

/** Why a service was not saved. */
export type Refusal = { title: string; text?: string }

type ServiceFormProps = {
  label: string
  initial: Form
  saveLabel: string
  failed: string
  /** Saves the service; expected refusals are returned, other failures are thrown. */
  save: (values: ServiceValues) => Promise<Refusal | null>
  /** After saving, the form is cleared for the next service. */
  isRepeated?: boolean
  cancel?: ReactNode
  /** Called when the form has unsaved input, or no longer has any. */
  onDirty: (form: string, isDirty: boolean) => void
  /** The first field takes the focus when the form appears. */
  autoFocus?: boolean
}

/** Name, description, price and duration of a service, with their errors. */
export function ServiceForm(props: ServiceFormProps) {
  const {
    label,
    initial,
    saveLabel,
    failed,
    save,
    isRepeated = false,
    cancel,
    autoFocus,
    onDirty,
  } = props
  const form = useForm<Form>({ resolver: zodResolver(serviceSchema), defaultValues: initial })
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const { isSubmitting, isDirty } = form.formState
  const { setFocus } = form
  const id = useId()
  useEffect(() => {
    if (autoFocus) setFocus('name')
  }, [autoFocus, setFocus])
  // The page's leave guard asks before leaving, and it is outside this form.
  useEffect(() => {
    onDirty(id, isDirty)
    return () => onDirty(id, false)
  }, [id, isDirty, onDirty])

  const send = async (typed: Form) => {
    setRefusal(null)
    try {
      const refused = await save(fromForm(typed))
      if (refused) return setRefusal(refused)
      if (!isRepeated) return
      form.reset(initial, { keepFieldsRef: true })
      form.setFocus('name')
    } catch (error) {
      const field = fieldRefusal(error)
      if (field) return form.setError(field.field, field, { shouldFocus: true })
      const text = isFull(error) ? messages.tooMany : describeError(error)
      setRefusal({ title: failed, text: `${text} ${messages.kept}` })
    }
  }
  // Shows all errors in one toast, too (ERR-26).
  const tell = (errors: FieldErrors<Form>) => {
    const texts = Object.values(errors).map((error) => error.message ?? '')
    showToast({ title: messages.validation, text: texts.join(', '), tone: 'danger' })
  }

  return (
    <form
      aria-label={label}
      className="grid gap-4 rounded-card border border-line bg-surface p-4 sm:p-5"
      noValidate
      onSubmit={(event) => void form.handleSubmit(send, tell)(event)}
    >
      <div className="grid gap-x-4 gap-y-4 sm:grid-cols-[minmax(0,1fr)_8rem_8rem]">
        <FormField form={form} name="name" label={messages.name} className="content-end">
          {(control) => <Input {...control} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="price" label={`${messages.price} (${env.currency})`}>
          {(control) => <Input {...control} inputMode="decimal" autoComplete="off" />}
        </FormField>
        <FormField form={form} name="duration" label={messages.durationMinutes}>
          {(control) => <Input {...control} inputMode="numeric" autoComplete="off" />}
        </FormField>
      </div>
      <FormField form={form} name="description" label={messages.descriptionOptional}>
        {(control) => <Textarea {...control} rows={2} />}
      </FormField>
      {refusal && (
        <Alert tone="danger" title={refusal.title}>
          {refusal.text}
        </Alert>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        {cancel}
        <Button type="submit" pending={isSubmitting} disabled={!isComplete(form.watch())}>
          {saveLabel}
        </Button>
      </div>
    </form>
  )
}
