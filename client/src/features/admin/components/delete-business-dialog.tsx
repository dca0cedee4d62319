import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { Consequences } from '@/components/consequences'
import { Alert } from '@/components/ui/alert'
import { countText } from '@/lib/formats'
import { type AdminBusiness, businessEffectsQuery, useDeleteBusiness } from '../api/businesses'
import { messages } from '../messages'
import { refusalText } from '../model/refusal'
import { DeletionEffects } from './deletion-effects'

const texts = messages.businesses

type DeleteBusinessDialogProps = {
  business: AdminBusiness
  /** False if it was already deleted. */
  onDone: (isDeleted: boolean) => void
  onClose: () => void
}

/**
 * Asks for confirmation before a business is deleted, and lists what is deleted with it
 * (ADMIN-BIZ-03, RULE-28).
 */
export function DeleteBusinessDialog({ business, onDone, onClose }: DeleteBusinessDialogProps) {
  const effects = useQuery(businessEffectsQuery(business.id))
  const remove = useDeleteBusiness()
  return (
    <ConfirmDialog
      open
      onClose={() => !remove.isPending && onClose()}
      title={texts.deleteTitle(business.name)}
      confirmLabel={texts.deleteConfirm}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(business, { onSuccess: onDone })}
      text={
        <div className="grid gap-5">
          {remove.isError && (
            <Alert tone="danger" title={texts.deleteFailed}>
              {refusalText(remove.error)}
            </Alert>
          )}
          <p className="nums">
            {business.display_id}, {business.type}, {business.location}
          </p>
          <DeletionEffects query={effects} lines={6}>
            {({ services, photos, reviews, open_bookings }) => (
              <Consequences
                title={texts.goes}
                items={[
                  texts.openBookings(countText(open_bookings)),
                  texts.reviews(countText(reviews)),
                  texts.services(countText(services)),
                  texts.photos(countText(photos)),
                  texts.alsoGoes,
                ]}
              />
            )}
          </DeletionEffects>
          <p>
            {texts.kept} {messages.final}
          </p>
        </div>
      }
    />
  )
}
