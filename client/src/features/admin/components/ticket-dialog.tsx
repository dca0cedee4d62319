import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Textarea } from '@/components/ui/textarea'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { toAppError } from '@/lib/errors'
import { countText } from '@/lib/formats'
import { type AdminTicket, useAnswer } from '../api/support'
import { messages } from '../messages'
import { refusalText } from '../model/refusal'
import { type AnswerForm, answerSchema, maxAnswer } from '../model/ticket'
import { dayText } from '../model/words'

const texts = messages.support

type TicketDialogProps = { ticket: AdminTicket; onClose: () => void; onAnswered: () => void }

/**
 * A question with its answer or the field for one. Closing with unsent text asks for confirmation.
 */
export function TicketDialog({ ticket, onClose, onAnswered }: TicketDialogProps) {
  const formId = useId()
  const answer = useAnswer()
  const form = useForm<AnswerForm>({
    resolver: zodResolver(answerSchema),
    defaultValues: { answer: '' },
  })
  const typed = form.watch('answer').trim()
  const { close, guard } = useUnsavedDialog({
    isDirty: typed !== '',
    isPending: answer.isPending,
    onClose,
    words: texts,
  })
  const submit = form.handleSubmit((values) =>
    answer.mutate({ id: ticket.id, ...values }, { onSuccess: onAnswered }),
  )
  const isOpen = ticket.answer === null
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={ticket.subject}
        description={texts.byOn(
          ticket.writer?.full_name ?? messages.users.unnamed,
          dayText(ticket.created_at),
        )}
        footer={
          isOpen ? (
            <>
              <Button variant="outline" disabled={answer.isPending} onClick={close}>
                {messages.cancel}
              </Button>
              <Button type="submit" form={formId} pending={answer.isPending}>
                {texts.send}
              </Button>
            </>
          ) : (
            <Button variant="outline" onClick={close}>
              {messages.close}
            </Button>
          )
        }
      >
        <div className="grid gap-5">
          <Text>{ticket.message}</Text>
          {ticket.answer !== null && ticket.answered_at !== null && (
            <div className="grid gap-1 rounded-control bg-primary-soft p-4">
              <h3 className="font-text text-sm font-semibold tracking-normal">
                {texts.answerOn(dayText(ticket.answered_at))}
              </h3>
              <Text>{ticket.answer}</Text>
            </div>
          )}
          {isOpen && (
            <form id={formId} className="grid gap-5" noValidate onSubmit={(e) => void submit(e)}>
              <FormField
                form={form}
                name="answer"
                label={texts.yourAnswer}
                help={
                  <span className="nums">
                    {texts.count(countText(typed.length), countText(maxAnswer))}
                  </span>
                }
              >
                {(control) => <Textarea {...control} rows={6} data-autofocus />}
              </FormField>
              {answer.isError && <Refusal error={answer.error} />}
            </form>
          )}
        </div>
      </Dialog>
      {guard}
    </>
  )
}

function Text({ children }: { children: string }) {
  return <p className="whitespace-pre-line [overflow-wrap:anywhere]">{children}</p>
}

function Refusal({ error }: { error: unknown }) {
  const isGone = toAppError(error).kind === 'not-found'
  return (
    <Alert tone="danger" title={texts.notSent}>
      {isGone ? texts.gone : refusalText(error)} {texts.kept}
    </Alert>
  )
}
