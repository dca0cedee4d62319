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
import { formatDuration, wallClock, zoneFrom } from '@/lib/time'
import { useAddWalkIn } from '../api/mutations'
import type { BookedBusiness } from '../api/queries'
import { messages } from '../messages'
import { nameMax, phoneMax, type WalkInForm, walkInSchema } from '../model/forms'
import { refusalText } from '../model/refusal'
import { TimeFields } from './time-fields'

type WalkInDialogProps = { business: BookedBusiness; onClose: () => void }

/** Enters a booking for a customer who called or walked in (BOOK-18). */
export function WalkInDialog({ business, onClose }: WalkInDialogProps) {
  const formId = useId()
  const add = useAddWalkIn(business.id)
  const today = wallClock(new Date(), zoneFrom(business.time_zone)).date
  const form = useForm<WalkInForm>({
    resolver: zodResolver(walkInSchema),
    defaultValues: {
      service: business.services.length === 1 ? (business.services[0]?.id ?? '') : '',
      date: today,
      time: '',
      name: '',
      phone: '',
    },
  })
  const { close, leave, guard } = useUnsavedDialog({
    isDirty: form.formState.isDirty,
    isPending: add.isPending,
    onClose,
  })
  const submit = form.handleSubmit((values) =>
    add.mutate(values, {
      onSuccess: () => {
        leave()
        showToast({ title: messages.walkInAdded, text: values.name, tone: 'success' })
      },
    }),
  )
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={messages.walkInTitle}
        description={messages.walkInText}
        footer={
          <>
            <Button variant="outline" disabled={add.isPending} onClick={close}>
              {messages.close}
            </Button>
            <Button
              type="submit"
              form={formId}
              pending={add.isPending}
              disabled={business.services.length === 0}
            >
              {messages.walkInSave}
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
          {add.isError && <Alert tone="danger" title={refusalText(add.error)} />}
          {business.services.length === 0 && <Alert tone="warning" title={messages.noServices} />}
          <FormField form={form} name="service" label={messages.service}>
            {(control) => (
              <Select {...control} data-autofocus>
                <option value="">{messages.chooseService}</option>
                {business.services.map(({ id, name, duration }) => (
                  <option key={id} value={id}>
                    {name} · {formatDuration(duration)}
                  </option>
                ))}
              </Select>
            )}
          </FormField>
          <TimeFields form={form} date="date" time="time" today={today} />
          <FormField form={form} name="name" label={messages.name}>
            {(control) => <Input {...control} autoComplete="off" maxLength={nameMax} />}
          </FormField>
          <FormField form={form} name="phone" label={messages.phone} help={messages.phoneHelp}>
            {(control) => <Input {...control} type="tel" autoComplete="off" maxLength={phoneMax} />}
          </FormField>
        </form>
      </Dialog>
      {guard}
    </>
  )
}
