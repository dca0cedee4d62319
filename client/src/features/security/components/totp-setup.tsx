import { type FormEvent, useRef, useState } from 'react'
import { CodeField, codeLength } from '@/components/code-field'
import { Button } from '@/components/ui/button'
import { secondFactorWords } from '@/lib/second-factor'
import { enableFactor } from '../api/two-factor'
import { messages } from '../messages'
import { enableFailure, grouped, type Setup } from '../model/totp'
import { CopyButton } from './copy-button'

type TotpSetupProps = {
  setup: Setup
  onCancel: () => void
  onEnabled: () => void
}

/**
 * The secret, as a QR code and as text, and the field for the code that confirms it (SEC-06 to
 * SEC-11).
 */
export function TotpSetup({ setup, onCancel, onEnabled }: TotpSetupProps) {
  return (
    <div className="grid gap-8 md:grid-cols-2">
      <section aria-labelledby="totp-scan" className="grid content-start gap-4">
        <div className="grid gap-1">
          <h3 id="totp-scan" className="text-lg">
            {messages.scanTitle}
          </h3>
          <p className="text-sm text-muted">{messages.scanText}</p>
        </div>
        {/* White in dark mode, too: cameras need it. */}
        <img
          src={setup.qr}
          alt={messages.qrAlt}
          width={208}
          height={208}
          className="size-52 rounded-control border border-line"
        />
        <a
          href={setup.uri}
          className="hit inline-flex items-center justify-self-start text-sm text-primary underline underline-offset-4 sm:hidden"
        >
          {messages.openApp}
        </a>
        <div className="grid gap-2">
          <p className="text-sm text-muted">{messages.secretTitle}</p>
          <code className="rounded-chip bg-sunken px-3 py-2 text-sm [overflow-wrap:anywhere]">
            {grouped(setup.secret)}
          </code>
          <div>
            <CopyButton text={setup.secret} label={messages.copySecret} />
          </div>
        </div>
      </section>
      <section aria-labelledby="totp-code" className="grid content-start gap-4">
        <h3 id="totp-code" className="text-lg">
          {messages.enterTitle}
        </h3>
        <EnableForm factorId={setup.factorId} onCancel={onCancel} onEnabled={onEnabled} />
      </section>
    </div>
  )
}

type EnableFormProps = Omit<TotpSetupProps, 'setup'> & { factorId: string }

function EnableForm({ factorId, onCancel, onEnabled }: EnableFormProps) {
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const [isPending, setPending] = useState(false)

  const send = async (digits: string) => {
    if (digits.length < codeLength) {
      setProblem(secondFactorWords.missing)
      return input.current?.focus()
    }
    setPending(true)
    setProblem(undefined)
    try {
      await enableFactor(factorId, digits)
      onEnabled()
    } catch (error) {
      setProblem(enableFailure(error))
      setPending(false)
      input.current?.select()
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
        label={messages.verifyCode}
        help={messages.verifyHelp}
        error={problem}
        value={code}
        maxLength={codeLength}
        readOnly={isPending}
        onChange={setCode}
        onWhole={(digits) => void send(digits)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" className="flex-1" pending={isPending}>
          {messages.enable}
        </Button>
        <Button variant="outline" disabled={isPending} onClick={onCancel}>
          {messages.cancel}
        </Button>
      </div>
    </form>
  )
}
