import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { FormField } from '@/components/form-field'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Textarea } from '@/components/ui/textarea'
import { UnsavedDialog } from '@/components/unsaved-dialog'
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
  const [isLeaving, setLeaving] = useState(false)
  const answer = useAnswer()
  const form = useForm<AnswerForm>({
    resolver: zodResolver(answerSchema),
    defaultValues: { answer: '' },
  })
  const typed = form.watch('answer').trim()
  const close = () => {
    if (answer.isPending) return
    if (typed === '') onClose()
    else setLeaving(true)
  }
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
      <UnsavedDialog isDirty={typed !== ''} words={texts} />
      <ConfirmDialog
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={texts.leaveTitle}
        text={texts.leaveText}
        confirmLabel={texts.leave}
        cancelLabel={texts.stay}
        onConfirm={onClose}
      />
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
