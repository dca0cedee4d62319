import { useQuery } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import type { Column } from '@/components/data-table'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { paths } from '@/lib/paths'
import { checksQuery, findingQuery, findingsQuery, repairFindings } from '../api/integrity'
import { integrityMessages as texts } from '../integrity-messages'
import { type Check, type Finding, integrityList } from '../model/integrity'
import { rowToRead } from '../model/list'
import type { ListAddress } from '../model/use-list'
import type { RequestAction } from './action-dialog'
import { BackLink } from './back-link'
import { FindingLink } from './check-card'
import { Facts } from './facts'
import { ListSkeleton } from './list-skeleton'
import { RequestsPanel } from './requests-panel'

const words = texts.list
const toChecks = paths.adminTab('integrity')

type FindingsPanelProps = { check: string; address: ListAddress }

/** All that a check found, with repairs one by one or many at once. */
export function FindingsPanel({ check: key, address }: FindingsPanelProps) {
  const checks = useQuery(checksQuery)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to={toChecks} text={texts.back} />
      <QueryState
        query={checks}
        errorTitle={words.error}
        pending={<ListSkeleton label={words.pending} />}
        isEmpty={(all) => !all.some(({ check_key }) => check_key === key)}
        empty={
          <EmptyState
            title={texts.unknown}
            text={texts.unknownText}
            action={
              <ButtonLink to={toChecks} variant="outline">
                {texts.back}
              </ButtonLink>
            }
          />
        }
      >
        {(all) =>
          all
            .filter(({ check_key }) => check_key === key)
            .map((check) => <Findings key={key} check={check} address={address} />)
        }
      </QueryState>
    </div>
  )
}

function Findings({ check, address }: { check: Check; address: ListAddress }) {
  const key = check.check_key
  const query = useQuery(findingsQuery(key, address.list))
  return (
    <RequestsPanel
      words={{ ...words, caption: check.name, text: texts.about[key] ?? '' }}
      // The check is not a filter of the list: the button that clears the filters keeps it.
      address={{
        ...address,
        kind: { ...integrityList, filters: [] },
        list: { ...address.list, filters: {} },
      }}
      query={query}
      opened={useQuery(findingQuery(key, rowToRead(address.list, query.data)))}
      columns={columns}
      nameOf={({ name }) => name}
      noteOf={({ detail }) => detail ?? ''}
      filter={null}
      actions={check.is_repairable ? [repairOf(key)] : []}
      details={(finding) => <Details finding={finding} />}
    />
  )
}

const columns: readonly Column<Finding>[] = [
  {
    key: 'name',
    header: words.name,
    isSortable: true,
    isTitle: true,
    cell: (finding) => <FindingLink finding={finding} />,
  },
  {
    key: 'detail',
    header: words.detail,
    isSortable: true,
    cell: ({ detail }) => <span className="nums [overflow-wrap:anywhere]">{detail}</span>,
  },
]

function Details({ finding }: { finding: Finding }) {
  return (
    <Facts
      facts={[
        { label: words.name, value: finding.name },
        { label: words.detail, value: finding.detail },
        {
          label: words.where,
          value: finding.link && <FindingLink finding={{ ...finding, name: words.open }} />,
        },
      ]}
    />
  )
}

function repairOf(check: string): RequestAction<Finding> {
  return {
    icon: Wrench,
    label: texts.repair,
    bulkLabel: texts.repairMany,
    isFor: () => true,
    title: texts.repairTitle,
    titleAll: texts.repairAllTitle,
    text: texts.repairs[check] ?? '',
    done: texts.repaired,
    doneAll: texts.allRepaired,
    failed: texts.notRepaired,
    failedAll: texts.notAllRepaired,
    earlier: texts.unchanged,
    batch: 20,
    act: (ids) => repairFindings(check, ids),
  }
}
