import { CodeField, codeLength } from '@/components/code-field'
import { Button } from '@/components/ui/button'
import { useCodeEntry } from '@/components/use-code-entry'
import { messages } from '../messages'
import { verificationFailure } from '../model/auth-error'

type CodeFormProps = {
  label: string
  /** Verifies the code; a thrown error is shown. */
  onCode: (digits: string) => Promise<void>
}

/**
 * The code of a mail or SMS, in a single field that phones can fill; submitted as soon as it is
 * complete.
 */
export function CodeForm({ label, onCode }: CodeFormProps) {
  const { input, code, setCode, problem, isPending, send, handleSubmit } = useCodeEntry({
    length: codeLength,
    missing: `${messages.verificationFailed}: ${messages.verificationFailedText}`,
    check: onCode,
    explain: (thrown) => {
      const { title, text } = verificationFailure(thrown)
      return `${title}: ${text}`
    },
  })

  return (
    <form className="grid gap-4" onSubmit={handleSubmit} noValidate>
      <CodeField
        ref={input}
        label={label}
        help={messages.codeHelp}
        error={problem}
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
