const applicationStates = ['none', 'pending', 'approved', 'rejected'] as const

/** How somebody stands on the way to selling (SELLER-02). */
export type ApplicationState = (typeof applicationStates)[number]

/** The state that a stored status stands for; an unknown one counts as still in review. */
export function stateOf(application: { status: string } | null): ApplicationState {
  if (application === null) return 'none'
  return applicationStates.find((state) => state === application.status) ?? 'pending'
}
