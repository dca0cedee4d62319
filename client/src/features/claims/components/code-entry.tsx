import { CodeField, codeLength } from '@/components/code-field'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { useCodeEntry } from '@/components/use-code-entry'
import { useCheckCode } from '../api/codes'
import { messages } from '../messages'
import { codeRefusal } from '../model/code'

type CodeEntryProps = { claimId: string; sentTo: string; triesLeft: number }

/** A field for the code sent to the business; verified as soon as it is complete. */
export function CodeEntry({ claimId, sentTo, triesLeft }: CodeEntryProps) {
  const check = useCheckCode(claimId)
  const { input, code, setCode, problem, isPending, send, handleSubmit } = useCodeEntry({
    length: codeLength,
    missing: messages.codeMissing,
    check: async (digits) => {
      await check.mutateAsync(digits)
      showToast({ title: messages.verified, text: messages.verifiedText, tone: 'success' })
    },
    explain: codeRefusal,
  })
  return (
    <form className="grid gap-4" onSubmit={handleSubmit} noValidate>
      <CodeField
        ref={input}
        label={messages.code}
        help={messages.codeHelp(sentTo, triesLeft)}
        error={problem}
        value={code}
        readOnly={isPending}
        onChange={setCode}
        onWhole={(digits) => void send(digits)}
      />
      <Button type="submit" pending={isPending}>
        {messages.checkCode}
      </Button>
    </form>
  )
}
