import type { BadgeTone } from '@/components/ui/badge'
import { type Role, roles } from '@/lib/role'
import { messages } from '../messages'

/** An account in the panel's list. */
export type User = {
  id: string
  name: string | null
  avatarUrl: string | null
  role: Role
  displayId: string
  createdAt: string
}

export function userName({ name }: Pick<User, 'name'>): string {
  return name ?? messages.users.unnamed
}

/**
 * Returns a role's label: admin is Admin, owner is Seller, user is Buyer (ADMIN-USERS-09, PERM-02).
 */
export function roleLabel(role: Role): string {
  return messages.users.roles[role]
}

export const roleTones: Readonly<Record<Role, BadgeTone>> = {
  admin: 'primary',
  owner: 'success',
  user: 'neutral',
}

/** Returns the role named by a filter; null for any. */
export function roleFrom(filter: string): Role | null {
  return roles.find((role) => role === filter) ?? null
}

/** Returns the database's name for an order of users. */
export function userOrder({ key, descending }: { key: string; descending: boolean }): string {
  if (key === 'name') return descending ? 'name_desc' : 'name'
  return descending ? 'newest' : 'oldest'
}
