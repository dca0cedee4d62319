import { Link } from 'react-router'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { countText } from '@/lib/formats'
import { integrityMessages as texts } from '../integrity-messages'
import {
  type CheckedCheck,
  type CheckStatus,
  type Finding,
  integrityList,
} from '../model/integrity'
import { listParams, readList } from '../model/list'

const tones: Record<CheckStatus, BadgeTone> = {
  pass: 'success',
  warning: 'warning',
  fail: 'danger',
}

/** A check with its result, and the first things that it found. */
export function CheckCard({ result }: { result: CheckedCheck }) {
  const { check_key, status, total, findings, error, last_total } = result
  const isError = error !== null
  return (
    <li className="grid gap-3 rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <Badge tone={tones[status]} className="mt-1">
          {texts.statuses[status]}
        </Badge>
        <div className="grid min-w-0 flex-1 basis-64 gap-1">
          <h3 className="font-semibold">{isError ? texts.systemError : result.name}</h3>
          <p className="text-sm text-muted">
            {isError ? texts.systemErrorText(result.name, error) : texts.about[check_key]}
          </p>
        </div>
        <p className="nums grid text-sm sm:text-end">
          {total > 0 && <span className="font-semibold">{texts.found(countText(total))}</span>}
          {last_total !== null && (
            <span className="text-muted">{texts.lastNight(countText(last_total))}</span>
          )}
        </p>
      </div>
      {total > 0 && (
        <>
          <ul className="grid gap-x-6 text-sm lg:grid-cols-2">
            {findings.map((finding) => (
              <li key={finding.id} className="flex min-w-0 flex-wrap items-center gap-x-3">
                <FindingLink finding={finding} />
                {finding.detail !== null && (
                  <span className="nums text-muted [overflow-wrap:anywhere]">{finding.detail}</span>
                )}
              </li>
            ))}
          </ul>
          <div>
            <ShowAll result={result} />
          </div>
        </>
      )}
    </li>
  )
}

/** The name of a finding, as a link if the client shows it. */
export function FindingLink({ finding: { name, link } }: { finding: Finding }) {
  const look = 'min-w-0 font-semibold [overflow-wrap:anywhere]'
  if (link === null) return <span className={look}>{name}</span>
  return (
    <Link
      to={link}
      className={`${look} inline-flex min-h-11 items-center text-primary underline underline-offset-4 sm:min-h-8`}
    >
      {name}
    </Link>
  )
}

function ShowAll({ result: { check_key, name, total, is_repairable } }: { result: CheckedCheck }) {
  const list = readList(new URLSearchParams({ check: check_key }), integrityList)
  const count = countText(total)
  return (
    <ButtonLink to={`?${listParams(list, integrityList)}`} variant="outline" size="sm">
      {is_repairable ? texts.repairAll(count) : texts.showAll(count)}
      <span className="sr-only">{name}</span>
    </ButtonLink>
  )
}
