import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink, FileText } from 'lucide-react'
import { Link } from 'react-router'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { describeError } from '@/lib/error-text'
import { paths } from '@/lib/paths'
import { type AdminClaim, claimDocumentsQuery, documentUrl } from '../api/claims'
import { messages } from '../messages'
import { dayText } from '../model/words'
import { requestMessages } from '../request-messages'
import { Facts } from './facts'
import { statusFact } from './status'

const texts = requestMessages.claims

/** Returns the name of the claimed business, which also names the claim. */
export function businessOf({ business }: AdminClaim): string {
  return business.name
}

/** All that is known of a claim, with its documents (ADMIN-CLAIM-05, DATA-31). */
export function ClaimDetails({ claim }: { claim: AdminClaim }) {
  const { business, claimant } = claim
  const method = texts.methods[claim.verification_method] ?? claim.verification_method
  return (
    <div className="grid gap-6">
      <Facts
        facts={[
          statusFact(claim),
          { label: texts.claimant, value: claim.full_name },
          {
            label: texts.account,
            value: `${claimant.full_name ?? messages.users.unnamed} · ${claimant.display_id ?? ''}`,
          },
          { label: texts.role, value: claim.role_at_company },
          { label: texts.email, value: claim.business_email },
          { label: texts.phone, value: claim.business_phone },
          {
            label: texts.business,
            value: (
              <Link
                className="text-primary underline underline-offset-4"
                to={paths.business(business.id)}
              >
                {business.name}
              </Link>
            ),
          },
          { label: texts.location, value: business.location },
          { label: texts.website, value: business.website },
          { label: texts.method, value: method },
          ...(claim.verified_at !== null && claim.verified_by !== null
            ? [
                {
                  label: texts.proven,
                  value: texts.provenBy(
                    texts.methods[claim.verified_by] ?? claim.verified_by,
                    dayText(claim.verified_at),
                  ),
                },
              ]
            : []),
          { label: texts.submitted, value: dayText(claim.submitted_at) },
          ...(claim.admin_notes === null
            ? []
            : [{ label: texts.savedNotes, value: claim.admin_notes }]),
        ]}
      />
      <Documents claim={claim} />
    </div>
  )
}

function Documents({ claim: { id, user_id } }: { claim: AdminClaim }) {
  const query = useQuery(claimDocumentsQuery(user_id, id))
  const open = useMutation({
    mutationFn: async ({ key, tab }: { key: string; tab: Window | null }) => {
      const url = await documentUrl(key)
      if (tab) tab.location.replace(url)
      else window.location.assign(url)
    },
    onError: (_error, { tab }) => tab?.close(),
  })
  return (
    <section className="grid gap-2" aria-label={texts.documents}>
      <h3 className="text-lg">{texts.documents}</h3>
      {open.isError && (
        <Alert tone="danger" title={texts.openDocumentFailed}>
          {describeError(open.error)}
        </Alert>
      )}
      <QueryState
        query={query}
        errorTitle={texts.documentsFailed}
        pending={
          <SkeletonGroup label={texts.documentsPending}>
            <Skeleton className="h-11 rounded-control" />
          </SkeletonGroup>
        }
        isEmpty={(documents) => documents.length === 0}
        empty={<p className="text-sm text-muted">{texts.noDocuments}</p>}
      >
        {(documents) => (
          <ul className="grid gap-2">
            {documents.map(({ key, name }) => (
              <li key={key}>
                <Button
                  variant="outline"
                  className="w-full justify-start text-start"
                  // The tab is opened by the press itself: browsers block it later.
                  onClick={() => open.mutate({ key, tab: blankTab() })}
                >
                  <FileText className="size-5 shrink-0" strokeWidth={1.75} aria-hidden />
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                    {texts.open(name)}
                  </span>
                  <ExternalLink className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  )
}

function blankTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  return tab
}
