import { expect, it } from 'vitest'
import { type AuditEntry, auditRows, changesOf, timestampText } from './audit'

const entry: AuditEntry = {
  id: '1',
  user_id: 'u1',
  table_name: 'businesses',
  action: 'UPDATE',
  record_id: 'b1',
  changed_fields: ['name', 'hours'],
  old_data: { name: 'Bar', hours: null },
  new_data: { name: 'Bar Sol', hours: { monday: '9-17' } },
  created_at: new Date(2026, 10, 6, 9, 5, 7).toISOString(),
  actor_name: 'Ada',
  actor_display_id: 'U-000001',
}

it('ADMIN-AUDIT-05: a timestamp is yyyy-MM-dd HH:mm:ss', () => {
  expect(timestampText(entry.created_at)).toBe('2026-11-06 09:05:07')
})

it('lists each field with its values before and after', () => {
  expect(changesOf(entry)).toEqual([
    { field: 'hours', before: null, after: '{\n "monday": "9-17"\n}' },
    { field: 'name', before: 'Bar', after: 'Bar Sol' },
  ])
})

it('ADMIN-AUDIT-04: a file has a row for each entry', () => {
  const [header, row] = auditRows([entry])
  expect(header?.[0]).toBe('created_at')
  expect(row).toEqual([
    '2026-11-06 09:05:07',
    'u1',
    'Ada',
    'businesses',
    'UPDATE',
    'b1',
    'name hours',
    '{"name":"Bar","hours":null}',
    '{"name":"Bar Sol","hours":{"monday":"9-17"}}',
  ])
})
