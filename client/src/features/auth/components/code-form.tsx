import { type FormEvent, useRef, useState } from 'react'
import { CodeField, codeLength } from '@/components/code-field'
import { Button } from '@/components/ui/button'
import { messages } from '../messages'
import { type Notice, verificationFailure } from '../model/auth-error'

type CodeFormProps = {
  label: string
  /** Checks the code; what it throws is told. */
  onCode: (digits: string) => Promise<void>
}

/** The code of a mail or an SMS, in one field that phones can fill; sent as soon as it is whole. */
export function CodeForm({ label, onCode }: CodeFormProps) {
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [notice, setNotice] = useState<Notice | null>(null)
  const [isPending, setPending] = useState(false)

  const send = async (digits: string) => {
    if (digits.length < codeLength) {
      setNotice({ title: messages.verificationFailed, text: messages.verificationFailedText })
      return input.current?.focus()
    }
    setPending(true)
    setNotice(null)
    try {
      await onCode(digits)
    } catch (error) {
      setNotice(verificationFailure(error))
      input.current?.select()
    } finally {
      setPending(false)
    }
  }

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void send(code)
  }

  return (
    <form className="grid gap-4" onSubmit={handleSubmit} noValidate>
      <CodeField
        ref={input}
        label={label}
        help={messages.codeHelp}
        error={notice ? `${notice.title}: ${notice.text}` : undefined}
        value={code}
        readOnly={isPending}
        onChange={setCode}
        onWhole={(digits) => void send(digits)}
      />
      <Button type="submit" size="lg" pending={isPending}>
        {messages.verify}
      </Button>
    </form>
  )
}
