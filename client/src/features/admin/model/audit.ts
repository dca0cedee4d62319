import type { CsvCell } from '@/lib/csv'
import { auditMessages as texts } from '../audit-messages'
import type { ListKind } from './list'

/** An entry of the audit log. */
export type AuditEntry = {
  id: string
  user_id: string | null
  table_name: string
  action: string
  record_id: string | null
  changed_fields: string[] | null
  old_data: AuditData
  new_data: AuditData
  created_at: string
  actor_name: string | null
  actor_display_id: string | null
}
type AuditData = Readonly<Record<string, unknown>> | null

export const auditActions = ['INSERT', 'UPDATE', 'DELETE'] as const

export const auditList: ListKind = {
  tab: 'audit',
  filters: ['table', 'action'],
  sorts: [],
  defaultSort: { key: 'created_at', descending: true },
}

/** Number of entries per page (ADMIN-AUDIT-03). */
export const auditPageSize = 100

/** Maximum number of entries in an exported file, all of which are in memory. */
export const maxExported = 10_000

/** Formats an instant in the reader's time zone: '2026-11-26 09:05:00' (ADMIN-AUDIT-05). */
export function timestampText(moment: string): string {
  const at = new Date(moment)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}

export type FieldChange = { field: string; before: string | null; after: string | null }

/** The fields that an entry has, with their values before and after; null where there was none. */
export function changesOf({ old_data, new_data }: AuditEntry): FieldChange[] {
  const fields = [...new Set([...Object.keys(old_data ?? {}), ...Object.keys(new_data ?? {})])]
  return fields.toSorted().map((field) => ({
    field,
    before: valueText(old_data?.[field]),
    after: valueText(new_data?.[field]),
  }))
}

function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}

/** The entries as the rows of a file, with a header. */
export function auditRows(entries: readonly AuditEntry[]): CsvCell[][] {
  return [
    [
      'created_at',
      'user_id',
      'user',
      'table_name',
      'action',
      'record_id',
      'changed_fields',
      'old_data',
      'new_data',
    ],
    ...entries.map((entry) => [
      timestampText(entry.created_at),
      entry.user_id,
      entry.actor_name,
      entry.table_name,
      entry.action,
      entry.record_id,
      entry.changed_fields?.join(' ') ?? null,
      entry.old_data && JSON.stringify(entry.old_data),
      entry.new_data && JSON.stringify(entry.new_data),
    ]),
  ]
}

export function nameOf({ action, table_name }: AuditEntry): string {
  return texts.title(texts.actions[action] ?? action, table_name)
}

export function actorOf({ user_id, actor_name }: AuditEntry): string {
  return actor_name ?? (user_id === null ? texts.server : texts.unknownActor)
}
