import { type ReactNode, useCallback, useState } from 'react'
import {
  type SecondFactorProof,
  secondFactorFailure,
  secondFactorWords as words,
} from '@/lib/second-factor'
import { CodeField, codeLength } from './code-field'
import { Button, type ButtonProps } from './ui/button'
import { Field } from './ui/field'
import { Input } from './ui/input'
import { useCodeEntry } from './use-code-entry'

/** Number of characters of a backup code (SEC-09). */
const backupLength = 8

/** Normalizes a typed or pasted backup code to capitals and digits (SEC-13). */
export function backupCode(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, backupLength)
}

type SecondFactorFormProps = {
  submitLabel: string
  variant?: Exclude<ButtonProps['variant'], undefined>
  /** Verifies the code; a thrown error is shown. */
  onProof: (proof: SecondFactorProof) => Promise<void>
  /** More buttons next to the submit button. */
  children?: ReactNode
}

/**
 * Asks for the authenticator's code. A second input, behind a link, accepts a backup code, which is
 * too long for the first (C-12).
 */
export function SecondFactorForm(props: SecondFactorFormProps) {
  const { submitLabel, variant = 'primary', onProof, children } = props
  const [kind, setKind] = useState<SecondFactorProof['kind']>('totp')
  const { input, code, setCode, problem, isPending, send, handleSubmit, clear } = useCodeEntry({
    length: kind === 'totp' ? codeLength : backupLength,
    missing: words.missing,
    check: (typed) => onProof({ kind, code: typed }),
    explain: (thrown) => secondFactorFailure(thrown, kind),
  })
  // Either input takes the focus when it appears: entering the code is the only action here.
  const attach = useCallback(
    (element: HTMLInputElement | null) => {
      input.current = element
      element?.focus()
    },
    [input],
  )

  const handleSwitch = () => {
    setKind(kind === 'totp' ? 'backup' : 'totp')
    clear()
  }

  return (
    <form className="grid gap-4" onSubmit={handleSubmit} noValidate>
      {kind === 'totp' ? (
        <CodeField
          ref={attach}
          label={words.code}
          help={words.codeHelp}
          error={problem}
          value={code}
          maxLength={codeLength}
          readOnly={isPending}
          onChange={setCode}
          onWhole={(digits) => void send(digits)}
        />
      ) : (
        <Field label={words.backup} help={words.backupHelp} error={problem}>
          <Input
            ref={attach}
            value={code}
            readOnly={isPending}
            data-autofocus
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className="nums h-14 text-center text-xl tracking-[0.2em]"
            onChange={(event) => setCode(backupCode(event.target.value))}
          />
        </Field>
      )}
      <Button
        variant="link"
        size="inline"
        className="hit justify-self-start text-sm"
        onClick={handleSwitch}
      >
        {kind === 'totp' ? words.useBackup : words.useCode}
      </Button>
      <div className="flex flex-wrap justify-end gap-3">
        {children}
        <Button type="submit" variant={variant} size="lg" className="flex-1" pending={isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
