import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { toAppError } from '@/lib/errors'
import { type AdminClaim, useReviewClaim } from '../api/claims'
import { refusalText } from '../model/refusal'
import { maxNotes } from '../model/request'
import { requestMessages } from '../request-messages'
import { businessOf, ClaimDetails } from './claim-details'

const texts = requestMessages.claims

type ReviewClaimDialogProps = {
  claim: AdminClaim
  onDecided: (decision: 'approved' | 'rejected') => void
  onClose: () => void
}

/**
 * A claim with its proof, a field for notes and the two decisions (ADMIN-CLAIM-05). Closing with
 * notes asks for confirmation.
 */
export function ReviewClaimDialog({ claim, onDecided, onClose }: ReviewClaimDialogProps) {
  const [notes, setNotes] = useState('')
  const review = useReviewClaim(claim.id)
  const isLong = notes.trim().length > maxNotes
  const isDirty = notes.trim() !== ''
  const { close, guard } = useUnsavedDialog({
    isDirty,
    isPending: review.isPending,
    onClose,
    words: texts,
  })
  const decide = (status: 'approved' | 'rejected') => {
    if (isLong) return
    review.mutate({ status, notes }, { onSuccess: () => onDecided(status) })
  }
  const isDeciding = (status: string) => review.isPending && review.variables.status === status
  return (
    <>
      <Dialog
        open
        shape="sheet"
        onClose={close}
        title={texts.reviewTitle(businessOf(claim))}
        footer={
          <>
            <Button
              variant="outline"
              pending={isDeciding('rejected')}
              disabled={review.isPending}
              onClick={() => decide('rejected')}
            >
              <X className="size-4.5" strokeWidth={1.75} aria-hidden />
              {texts.reject}
            </Button>
            <Button
              pending={isDeciding('approved')}
              disabled={review.isPending}
              onClick={() => decide('approved')}
            >
              <Check className="size-4.5" strokeWidth={1.75} aria-hidden />
              {texts.approve}
            </Button>
          </>
        }
      >
        <div className="grid gap-6">
          {review.isError && (
            <Alert tone="danger" title={texts.failed}>
              {texts.failedText}. {reasonOf(review.error)} {isDirty && texts.kept}
            </Alert>
          )}
          <ClaimDetails claim={claim} />
          <Field
            label={texts.notes}
            help={texts.notesHelp}
            error={isLong ? texts.notesLong : undefined}
          >
            <Textarea value={notes} rows={3} onChange={({ target }) => setNotes(target.value)} />
          </Field>
          <p className="text-sm text-muted">{texts.effect}</p>
        </div>
      </Dialog>
      {guard}
    </>
  )
}

function reasonOf(error: unknown): string {
  return toAppError(error).code === 'already_reviewed' ? texts.already : refusalText(error)
}
