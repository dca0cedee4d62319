import type { ReactNode } from 'react'
import { Alert } from '@/components/ui/alert'
import { ButtonLink } from '@/components/ui/button'

type LimitAlertProps = {
  /** The plan's limit. */
  title: string
  plansHref: string
  /** What was saved, and what the user can do. */
  children: ReactNode
}

/** Says that a limit of the plan was reached, and links to larger plans (SUB-08, S-37). */
export function LimitAlert({ title, plansHref, children }: LimitAlertProps) {
  return (
    <Alert
      tone="warning"
      title={title}
      action={
        <ButtonLink to={plansHref} variant="outline" size="sm">
          See plans
        </ButtonLink>
      }
    >
      {children}
    </Alert>
  )
}
