import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { applyServerError } from '@/components/server-error'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Textarea } from '@/components/ui/textarea'
import { showToast } from '@/components/ui/toast'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { useSaveReview } from '../api/mutations'
import { ownReviewQuery } from '../api/queries'
import { type ReviewValues, reviewSchema } from '../model/review'
import { writeMessages as messages } from '../write-messages'
import { StarField } from './star-field'

type ReviewDialogProps = { userId: string; businessId: string; onClose: () => void }

/** A dialog in which a customer creates or edits a review of a business. */
export function ReviewDialog({ userId, businessId, onClose }: ReviewDialogProps) {
  const query = useQuery({ ...ownReviewQuery(userId, businessId), refetchOnWindowFocus: false })
  if (query.data) {
    return (
      <ReviewForm
        userId={userId}
        businessId={businessId}
        name={query.data.name}
        written={query.data.review}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog open onClose={onClose} title={messages.title('…')}>
      {query.isError && (
        <ErrorState
          title={messages.error}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data === null && <Alert tone="warning" title={messages.gone} />}
      {query.isPending && (
        <SkeletonGroup label={messages.pending} className="grid gap-4">
          <Skeleton className="h-11 w-56 rounded-control" />
          <Skeleton className="h-32 rounded-control" />
        </SkeletonGroup>
      )}
    </Dialog>
  )
}

type ReviewFormProps = ReviewDialogProps & {
  name: string
  written: { id: string; rating: number; comment: string | null } | null
}

const known = Object.fromEntries(
  Object.entries(messages.failures).map(([code, message]) => [code, { message }]),
)

function ReviewForm({ userId, businessId, name, written, onClose }: ReviewFormProps) {
  const formId = useId()
  const save = useSaveReview(userId, businessId)
  const form = useForm<ReviewValues>({
    resolver: zodResolver(reviewSchema),
    defaultValues: {
      rating: written ? String(written.rating) : '',
      comment: written?.comment ?? '',
    },
  })
  const { errors, isDirty, isSubmitting } = form.formState
  const { close, leave, guard } = useUnsavedDialog({ isDirty, isPending: isSubmitting, onClose })
  const handleSubmit = form.handleSubmit(async (values) => {
    try {
      await save.mutateAsync({ id: written?.id ?? null, values })
    } catch (error) {
      applyServerError(form.setError, error, known)
      return
    }
    const title = written ? messages.changed : messages.sent
    showToast({ title, text: messages.sentText, tone: 'success' })
    leave()
  })
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={messages.title(name)}
        description={messages.text}
        footer={
          <>
            <Button variant="outline" disabled={isSubmitting} onClick={close}>
              {messages.cancel}
            </Button>
            <Button type="submit" form={formId} pending={isSubmitting}>
              {written ? messages.change : messages.send}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          noValidate
          className="grid gap-4"
          onSubmit={(event) => void handleSubmit(event)}
        >
          {errors.root?.server && <Alert tone="danger" title={errors.root.server.message ?? ''} />}
          <StarField
            control={form.register('rating')}
            value={Number(form.watch('rating'))}
            error={errors.rating?.message}
          />
          <FormField
            form={form}
            name="comment"
            label={messages.comment}
            help={messages.commentHelp}
          >
            {(control) => <Textarea {...control} rows={5} />}
          </FormField>
        </form>
      </Dialog>
      {guard}
    </>
  )
}
