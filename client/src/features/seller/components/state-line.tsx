import { CircleAlert, CircleCheck, Info, Plus } from 'lucide-react'
import { cn } from '@/lib/cn'
import { paths } from '@/lib/paths'
import { messages } from '../messages'
import type { ApplicationState } from '../model/state'

/** The link of each state. */
export const nextStep = {
  none: paths.becomeSeller,
  pending: paths.becomeSeller,
  approved: paths.businessNew,
  rejected: paths.contact,
} as const satisfies Record<ApplicationState, string>

const icons = { none: Plus, pending: Info, approved: CircleCheck, rejected: CircleAlert }
const tones = {
  none: 'bg-primary-soft text-primary',
  pending: 'bg-warning-soft text-warning',
  approved: 'bg-success-soft text-success',
  rejected: 'bg-danger-soft text-danger',
}

type StateLineProps = { state: ApplicationState; headingLevel: 'h2' | 'h3' }

/** A state of the application: its name and its meaning. */
export function StateLine({ state, headingLevel: Heading }: StateLineProps) {
  const Icon = icons[state]
  const { title, text } = messages.state[state]
  return (
    <div className="flex items-start gap-3">
      <span className={cn('grid size-10 shrink-0 place-items-center rounded-full', tones[state])}>
        <Icon className="size-5" strokeWidth={1.75} aria-hidden />
      </span>
      <div className="grid gap-0.5">
        <Heading className="font-text text-base font-semibold tracking-normal">{title}</Heading>
        <p className="text-muted">{text}</p>
      </div>
    </div>
  )
}
