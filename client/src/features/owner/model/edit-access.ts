/** How far somebody may go on the edit screen (PERM-07, OWNER-10, ERR-28). */
export type EditAccess = 'not-found' | 'denied' | 'owner' | 'admin'

type Facts = {
  /** Null where there is no such business. */
  business: { owner_id: string | null } | null
  userId: string
  isAdmin: boolean
}

/** The owner edits as such, also one who is an admin; the database decides. */
export function editAccess({ business, userId, isAdmin }: Facts): EditAccess {
  if (business === null) return 'not-found'
  if (business.owner_id === userId) return 'owner'
  return isAdmin ? 'admin' : 'denied'
}
