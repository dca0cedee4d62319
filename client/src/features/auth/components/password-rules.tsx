import { Check, Circle } from 'lucide-react'
import { cn } from '@/lib/cn'
import { messages } from '../messages'
import { passwordRules } from '../model/credentials'

/** The rules of a new password, checked off while typing (RULE-03, RULE-04). */
export function PasswordRules({ password }: { password: string }) {
  return (
    <ul
      aria-label={messages.rules}
      className="grid grid-cols-2 gap-x-3 gap-y-1 text-sm max-[24rem]:grid-cols-1"
    >
      {passwordRules.map(({ key, label, isMet }) => {
        const met = isMet(password)
        const Icon = met ? Check : Circle
        return (
          <li
            key={key}
            className={cn('flex items-center gap-2', met ? 'text-success' : 'text-muted')}
          >
            <Icon
              className={cn('shrink-0', met ? 'size-4' : 'mx-1 size-2')}
              strokeWidth={2}
              aria-hidden
            />
            {label}
            <span className="sr-only">: {met ? messages.ruleMet : messages.ruleOpen}</span>
          </li>
        )
      })}
    </ul>
  )
}
