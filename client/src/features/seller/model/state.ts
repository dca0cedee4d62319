const applicationStates = ['none', 'pending', 'approved', 'rejected'] as const

/** The state of a seller application (SELLER-02). */
export type ApplicationState = (typeof applicationStates)[number]

/** Returns the state for a stored status; an unknown one counts as in review. */
export function stateOf(application: { status: string } | null): ApplicationState {
  if (application === null) return 'none'
  return applicationStates.find((state) => state === application.status) ?? 'pending'
}
