/** A table or view of the data API. */
export type SchemaTable = {
  name: string
  kind: string
  comment: string | null
  /** The planner's estimate; 0 if it was never analyzed. */
  row_estimate: number
  /** With indexes. */
  bytes: number
  has_rls: boolean
  columns: { name: string; type: string; required: boolean }[]
  policies: {
    name: string
    command: string
    roles: string[]
    using: string | null
    check: string | null
  }[]
}

/** A problem that the doctor found. */
export type Finding = { code: string; subject: string; problem: string; remedy: string }

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats a size: '8 KB', '1.2 MB'. */
export function sizeText(bytes: number): string {
  const step =
    bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** step
  const digits = value < 10 && step > 0 && !Number.isInteger(value) ? 1 : 0
  return `${value.toFixed(digits)} ${units[step]}`
}
