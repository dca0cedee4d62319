/** A user's access to the edit screen (PERM-07, OWNER-10, ERR-28). */
export type EditAccess = 'not-found' | 'denied' | 'owner' | 'admin'

type Facts = {
  /** Null if there is no such business. */
  business: { owner_id: string | null } | null
  userId: string
  isAdmin: boolean
}

/** An owner who is also an admin edits as the owner; the database decides. */
export function editAccess({ business, userId, isAdmin }: Facts): EditAccess {
  if (business === null) return 'not-found'
  if (business.owner_id === userId) return 'owner'
  return isAdmin ? 'admin' : 'denied'
}
