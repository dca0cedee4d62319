/** Ranked user < owner < admin. What a client hides by it, the database refuses. */
export const roles = ['user', 'owner', 'admin'] as const
export type Role = (typeof roles)[number]

/** A stored role; anything unknown counts as the least. */
export function parseRole(value: unknown): Role {
  return roles.find((role) => role === value) ?? 'user'
}

/** Whether a role reaches at least the required one. */
export function hasRole(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required)
}
