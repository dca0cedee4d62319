// A complete form in the style that every form of the client follows; copy it.
import { zodResolver } from '@hookform/resolvers/zod'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { FormField } from '@/components/form-field'
import { applyServerError } from '@/components/server-error'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { AppError } from '@/lib/errors'
import { renderApp } from './render'

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(2, 'Business name must be at least 2 characters')),
})
type Values = z.infer<typeof schema>

function ExampleForm({ save }: { save: (values: Values) => Promise<void> }) {
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: { name: '' } })
  const { errors, isSubmitting } = form.formState
  const handleSubmit = form.handleSubmit(async (values) => {
    try {
      await save(values)
    } catch (error) {
      applyServerError(form.setError, error, {
        '23505': { field: 'name', message: 'This name is taken' },
      })
    }
  })
  return (
    <form onSubmit={(event) => void handleSubmit(event)} noValidate>
      {errors.root?.server && <Alert tone="danger" title={errors.root.server.message ?? ''} />}
      <FormField form={form} name="name" label="Name" help="As it stands over the door">
        {(control) => <Input {...control} />}
      </FormField>
      <Button type="submit" pending={isSubmitting}>
        Save
      </Button>
    </form>
  )
}

async function submitWith(text: string, save: (values: Values) => Promise<void>) {
  const user = userEvent.setup()
  renderApp(<ExampleForm save={save} />)
  const name = screen.getByLabelText('Name')
  if (text !== '') await user.type(name, text)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  return name
}

describe('a form', () => {
  it('ties label, help and error to the control', async () => {
    const name = await submitWith('a', async () => undefined)
    const error = await screen.findByText('Business name must be at least 2 characters')
    expect(name.getAttribute('aria-invalid')).toBe('true')
    const described = name.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(described).toContain(error.id)
    expect(described).toContain(screen.getByText('As it stands over the door').id)
  })

  it('puts a known refusal of the server on its field and keeps what was typed', async () => {
    const name = await submitWith('Casa Núria', async () => {
      throw new AppError('23505', 'duplicate key value')
    })
    expect(await screen.findByText('This name is taken')).toBeTruthy()
    expect(name).toHaveProperty('value', 'Casa Núria')
  })

  it('shows any other failure on the form, never the raw message', async () => {
    await submitWith('Casa Núria', async () => {
      throw new AppError('XX000', 'relation "x" does not exist', { status: 500 })
    })
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('Something went wrong on our side. Please try again.')
  })
})
