import type { ComponentProps } from 'react'
import { Field } from './ui/field'
import { Input } from './ui/input'

/** How many digits a code has, of a mail, an SMS or an authenticator (SEC-10). */
export const codeLength = 6

/** The digits of what was typed or pasted: '123 456' and 'Code: 123456' are fine. */
export function codeDigits(text: string): string {
  return text.replace(/\D/g, '').slice(0, codeLength)
}

type CodeFieldProps = Pick<ComponentProps<'input'>, 'ref' | 'readOnly' | 'maxLength'> & {
  label: string
  help: string
  error: string | undefined
  value: string
  onChange: (digits: string) => void
  /** Called once, when the last digit is there. */
  onWhole: (digits: string) => void
}

/** One field for a code, which phones and password managers can fill. */
export function CodeField(props: CodeFieldProps) {
  const { label, help, error, value, onChange, onWhole, ...input } = props
  const take = (digits: string) => {
    onChange(digits)
    if (digits.length === codeLength && digits !== value) onWhole(digits)
  }
  return (
    <Field label={label} help={help} error={error}>
      <Input
        {...input}
        value={value}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        className="nums h-14 text-center text-xl tracking-[0.4em]"
        onChange={(event) => take(codeDigits(event.target.value))}
        onPaste={(event) => {
          // The browser would cut '123 456' at a maxLength of six characters, not at six digits.
          event.preventDefault()
          take(codeDigits(event.clipboardData.getData('text')))
        }}
      />
    </Field>
  )
}
