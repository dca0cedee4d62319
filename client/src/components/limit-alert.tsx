import type { ReactNode } from 'react'
import { Alert } from '@/components/ui/alert'
import { ButtonLink } from '@/components/ui/button'

type LimitAlertProps = {
  /** What the plan allows. */
  title: string
  plansHref: string
  /** What was kept, and what can be done. */
  children: ReactNode
}

/** A limit of the plan was reached: what it is, and the way to a larger plan (SUB-08, S-37). */
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
