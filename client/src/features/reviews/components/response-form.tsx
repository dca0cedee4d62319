import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { useRespond } from '../api/mutations'
import { messages, responseLength } from '../messages'

type ResponseFormProps = {
  name: string
  businessId: string
  reviewId: string
  onResponded: () => void
}

function refusal(thrown: unknown): string {
  const { code } = toAppError(thrown)
  const known = Object.entries(messages.refusals).find(([name]) => name === code)
  return known?.[1] ?? describeError(thrown)
}

/** The form for a response; an empty one cannot be sent (METRICS-36). */
export function ResponseForm({ name, businessId, reviewId, onResponded }: ResponseFormProps) {
  const [text, setText] = useState('')
  const respond = useRespond(businessId, reviewId)
  const handleSubmit = () =>
    respond.mutate(text.trim(), {
      onSuccess: () => {
        showToast({ title: messages.sent, tone: 'success' })
        onResponded()
      },
    })
  return (
    <form
      className="grid max-w-text justify-items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        handleSubmit()
      }}
    >
      <Field
        label={messages.respond(name)}
        help={messages.help}
        error={respond.isError ? `${messages.notSent}. ${refusal(respond.error)}` : undefined}
        className="w-full"
      >
        <Textarea
          value={text}
          maxLength={responseLength}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={text.trim() === '' || respond.isPending}>
        {respond.isPending ? messages.sending : messages.send}
      </Button>
    </form>
  )
}
