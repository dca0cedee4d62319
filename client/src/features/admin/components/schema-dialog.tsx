import { Dialog } from '@/components/ui/dialog'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { SchemaTable } from '../model/schema'
import { schemaMessages as texts } from '../schema-messages'
import { Facts } from './facts'

type SchemaDialogProps = { table: SchemaTable; onClose: () => void }

/** The columns and policies of a table. */
export function SchemaDialog({ table, onClose }: SchemaDialogProps) {
  return (
    <Dialog open shape="sheet" onClose={onClose} title={table.name}>
      <div className="grid gap-6">
        {table.comment && <p className="text-muted">{table.comment}</p>}
        <section className="grid gap-3">
          <h3 className="text-lg">{texts.columns}</h3>
          <Table caption={texts.columns}>
            <thead>
              <tr>
                <Th>{texts.column}</Th>
                <Th>{texts.type}</Th>
              </tr>
            </thead>
            <tbody>
              {table.columns.map(({ name, type, required }) => (
                <Tr key={name}>
                  <Td className="font-mono text-xs">{name}</Td>
                  <Td className="text-sm">{required ? type : texts.optional(type)}</Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </section>
        <section className="grid gap-3">
          <h3 className="text-lg">{texts.policies}</h3>
          {table.policies.length === 0 && <p className="text-muted">{texts.noPolicies}</p>}
          <ul className="grid gap-3">
            {table.policies.map((policy) => (
              <li key={policy.name} className="grid gap-2 rounded-card border border-line p-4">
                <h4 className="font-mono text-sm [overflow-wrap:anywhere]">{policy.name}</h4>
                <Facts
                  facts={[
                    { label: texts.command, value: policy.command },
                    { label: texts.roles, value: policy.roles.join(', ') },
                    { label: texts.visible, value: <Rule>{policy.using}</Rule> },
                    { label: texts.written, value: <Rule>{policy.check}</Rule> },
                  ]}
                />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Dialog>
  )
}

function Rule({ children }: { children: string | null }) {
  if (children === null || children === 'true') return texts.everything
  return <span className="font-mono text-xs [overflow-wrap:anywhere]">{children}</span>
}
