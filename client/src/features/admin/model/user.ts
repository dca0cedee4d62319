import { type Role, roles } from '@/lib/role'
import { messages } from '../messages'

/** An account as the panel lists it. */
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

/** admin is shown as Admin, owner as Seller, user as Buyer (ADMIN-USERS-09, PERM-02). */
export function roleLabel(role: Role): string {
  return messages.users.roles[role]
}

/** The role that a filter names; null for any. */
export function roleFrom(filter: string): Role | null {
  return roles.find((role) => role === filter) ?? null
}

/** The order of users as the database calls it. */
export function userOrder({ key, descending }: { key: string; descending: boolean }): string {
  if (key === 'name') return descending ? 'name_desc' : 'name'
  return descending ? 'newest' : 'oldest'
}
