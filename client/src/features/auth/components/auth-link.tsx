import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** A link to another sign-in form. */
export function AuthLink(props: Pick<ComponentProps<typeof Link>, 'to' | 'state' | 'children'>) {
  return (
    <Link
      className="hit inline-flex items-center justify-self-start text-sm text-primary underline underline-offset-4"
      {...props}
    />
  )
}
