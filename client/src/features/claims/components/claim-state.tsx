import { Alert } from '@/components/ui/alert'
import { useFocusOn } from '@/lib/use-focus-on'
import type { OwnClaim } from '../api/queries'
import { messages } from '../messages'
import { ClaimCode } from './claim-code'
import { ClaimDocuments } from './claim-documents'

type ClaimStateProps = { claim: OwnClaim; userId: string }

/** The state of the user's claim, and its verification while it is open (ADMIN-CLAIM-11). */
export function ClaimState({ claim, userId }: ClaimStateProps) {
  const isVerified = claim.verified_at !== null
  const part = useFocusOn<HTMLDivElement>(String(isVerified))
  if (claim.status === 'rejected') {
    return (
      <Alert tone="warning" title={messages.rejected}>
        {claim.admin_notes}
      </Alert>
    )
  }
  if (claim.status !== 'pending') return null
  return (
    <div ref={part} tabIndex={-1} className="grid gap-4 border-line border-t pt-4 outline-none">
      <Alert title={messages.pending}>{messages.pendingText}</Alert>
      {isVerified ? (
        <Alert tone="success" title={messages.verified}>
          {messages.verifiedText}
        </Alert>
      ) : (
        <ClaimProof claim={claim} userId={userId} />
      )}
    </div>
  )
}

function ClaimProof({ claim, userId }: ClaimStateProps) {
  return claim.verification_method === 'document_upload' ? (
    <ClaimDocuments claimId={claim.id} userId={userId} />
  ) : (
    <ClaimCode claimId={claim.id} userId={userId} />
  )
}
