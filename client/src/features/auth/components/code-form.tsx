import { type FormEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { confirmByCode } from '../api/mutations'
import { messages } from '../messages'
import { type Notice, verificationFailure } from '../model/auth-error'

const length = 6

/** The digits of what was typed or pasted: '123 456' and 'Code: 123456' are fine. */
export function codeDigits(text: string): string {
  return text.replace(/\D/g, '').slice(0, length)
}

/** The code of a mail, in one field that phones can fill; sent as soon as it is whole. */
export function CodeForm({ email }: { email: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [notice, setNotice] = useState<Notice | null>(null)
  const [isPending, setPending] = useState(false)

  const send = async (digits: string) => {
    if (digits.length < length) {
      setNotice({ title: messages.verificationFailed, text: messages.verificationFailedText })
      return input.current?.focus()
    }
    setPending(true)
    setNotice(null)
    try {
      await confirmByCode(email, digits)
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
      <Field
        label={messages.code}
        help={messages.codeHelp}
        error={notice ? `${notice.title}: ${notice.text}` : undefined}
      >
        <Input
          ref={input}
          value={code}
          inputMode="numeric"
          autoComplete="one-time-code"
          readOnly={isPending}
          className="nums h-14 text-center text-xl tracking-[0.4em]"
          onChange={(event) => {
            const digits = codeDigits(event.target.value)
            setCode(digits)
            if (digits.length === length && digits !== code) void send(digits)
          }}
        />
      </Field>
      <Button type="submit" size="lg" pending={isPending}>
        {messages.verify}
      </Button>
    </form>
  )
}
