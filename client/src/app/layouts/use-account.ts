import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '@/features/auth/api/queries'
import type { Role } from '@/lib/role'
import { useSession } from '@/lib/session'

export type SignedInAccount = {
  status: 'signed-in'
  role: Role
  userId: string
  name: string
  email: string
  avatarUrl: string | null
}

/** The account that the shell is rendered for. The role is `user` until the profile is loaded. */
export type ShellAccount = { status: 'pending' | 'signed-out'; role: null } | SignedInAccount

export function useShellAccount(): ShellAccount {
  const session = useSession()
  const userId = session.user?.id ?? ''
  const { data: account } = useQuery({ ...accountQuery(userId), enabled: userId !== '' })
  if (session.status !== 'signed-in') return { status: session.status, role: null }
  const { email: address, phone } = session.user
  const email = address || (phone ? `+${phone}` : '')
  return {
    status: 'signed-in',
    role: account?.role ?? 'user',
    userId,
    name: account?.name ?? email,
    email,
    avatarUrl: account?.avatarUrl ?? null,
  }
}
