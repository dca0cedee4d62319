import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { showToast } from '@/components/ui/toast'
import { useSendTicket } from '../api/mutations'
import { messages } from '../messages'
import { readDraft, storeDraft } from '../model/draft'
import {
  emptyTicket,
  maxMessage,
  maxSubject,
  sendFailure,
  type TicketForm as TicketValues,
  ticketSchema,
} from '../model/ticket'

/** The form for a question to the administrators. Its input is kept until it has been sent. */
export function TicketForm({ userId }: { userId: string }) {
  const send = useSendTicket(userId)
  const form = useForm<TicketValues>({
    resolver: zodResolver(ticketSchema),
    defaultValues: readDraft(userId),
  })
  const { getValues } = form
  useEffect(() => () => storeDraft(userId, getValues()), [userId, getValues])
  const submit = form.handleSubmit((typed) =>
    send.mutate(
      { typed, before: send.error },
      {
        onSuccess: () => {
          form.reset(emptyTicket)
          showToast({ title: messages.sent, text: messages.sentText, tone: 'success' })
        },
      },
    ),
  )
  const [subject, message] = form.watch(['subject', 'message'])
  return (
    <form className="grid gap-5" noValidate onSubmit={(event) => void submit(event)}>
      <FormField
        form={form}
        name="subject"
        label={messages.subject}
        help={<Count used={subject.trim().length} most={maxSubject} />}
      >
        {(control) => <Input {...control} autoComplete="off" />}
      </FormField>
      <FormField
        form={form}
        name="message"
        label={messages.message}
        help={<Count used={message.trim().length} most={maxMessage} />}
      >
        {(control) => <Textarea {...control} rows={5} />}
      </FormField>
      {send.isError && (
        <Alert tone="danger" title={messages.notSent}>
          {sendFailure(send.error)}
        </Alert>
      )}
      <Button type="submit" className="justify-self-start" pending={send.isPending}>
        {messages.send}
      </Button>
    </form>
  )
}

function Count({ used, most }: { used: number; most: number }) {
  return <span className="nums">{messages.count(used, most)}</span>
}
