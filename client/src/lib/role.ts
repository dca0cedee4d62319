/** Roles in ascending order. The client hides what a role may not do; the database enforces it. */
export const roles = ['user', 'owner', 'admin'] as const
export type Role = (typeof roles)[number]

/** Parses a stored role; an unknown role counts as the lowest. */
export function parseRole(value: unknown): Role {
  return roles.find((role) => role === value) ?? 'user'
}

/** Reports whether a role is at least the required one. */
export function hasRole(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required)
}
