import { useMatch } from 'react-router'
import { guardMessages as messages } from '@/features/auth/guard-messages'
import { paths } from '@/lib/paths'
import { Guard } from './guard'

/** Wraps the pages for sellers (PERM-05, PERM-06). */
export function Component() {
  const isNew = useMatch(paths.businessNew) !== null
  return <Guard needs="owner" {...(isNew && { deniedText: messages.createText })} />
}
