/** What admins decide: a claim, an application or a report. */
export type Request = { id: string; status: string }

export function isPending({ status }: Request): boolean {
  return status === 'pending'
}

export type ReviewStatus = 'pending' | 'approved' | 'rejected'
export const reviewStatuses: readonly ReviewStatus[] = ['pending', 'approved', 'rejected']

export type ReportStatus = 'pending' | 'resolved' | 'rejected'
export const reportStatuses: readonly ReportStatus[] = ['pending', 'resolved', 'rejected']

export const reportTypes = ['business', 'user', 'review'] as const

export const maxNotes = 2000
