import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Input } from '@/components/ui/input'
import { messages } from '../messages'

/** A password field with a button that reveals it; pasting is allowed. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? 'text' : 'password'}
        className="pe-12"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <button
        type="button"
        aria-pressed={shown}
        className="hit absolute inset-y-0 end-0 grid place-items-center rounded-control text-muted hover:text-ink"
        onClick={() => setShown(!shown)}
      >
        <Icon className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.showPassword}</span>
      </button>
    </div>
  )
}
