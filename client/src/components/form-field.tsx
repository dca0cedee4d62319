import type { ReactNode } from 'react'
import type { FieldPath, FieldValues, UseFormRegisterReturn, UseFormReturn } from 'react-hook-form'
import { Field, type FieldProps } from './ui/field'

type FormFieldProps<V extends FieldValues> = Omit<FieldProps, 'error' | 'children'> & {
  form: UseFormReturn<V>
  name: FieldPath<V>
  /** Renders the control; spread the argument on an Input, Select or Textarea. */
  children: (control: UseFormRegisterReturn) => ReactNode
}

/** A field of a react-hook-form: label, help, the control and its error. */
export function FormField<V extends FieldValues>({
  form,
  name,
  children,
  ...field
}: FormFieldProps<V>) {
  const { error } = form.getFieldState(name, form.formState)
  return (
    <Field error={error?.message} {...field}>
      {children(form.register(name))}
    </Field>
  )
}
