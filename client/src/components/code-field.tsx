import type { ComponentProps } from 'react'
import { Field } from './ui/field'
import { Input } from './ui/input'

/** Number of digits of a code sent by mail or SMS or shown by an authenticator (SEC-10). */
export const codeLength = 6

/** Returns the digits of the typed or pasted text: '123 456' and 'Code: 123456' are accepted. */
export function codeDigits(text: string): string {
  return text.replace(/\D/g, '').slice(0, codeLength)
}

type CodeFieldProps = Pick<ComponentProps<'input'>, 'ref' | 'readOnly' | 'maxLength'> & {
  label: string
  help: string
  error: string | undefined
  value: string
  onChange: (digits: string) => void
  /** Called once, when the last digit is entered. */
  onWhole: (digits: string) => void
}

/** A single field for a code, which phones and password managers can fill. */
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
          // With maxLength, the browser would cut '123 456' at six characters instead of six
          // digits.
          event.preventDefault()
          take(codeDigits(event.clipboardData.getData('text')))
        }}
      />
    </Field>
  )
}
