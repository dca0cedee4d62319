import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/ui/skeleton'
import { businessKeys } from '@/features/businesses/api/keys'
import { categoriesQuery } from '@/features/directory/api/queries'
import { ownerKeys } from '@/features/owner/api/keys'
import type { EditedBusiness } from '@/features/owner/api/queries'
import { FormNeeds } from '@/features/owner/components/form-needs'
import { readEditTab } from '@/features/owner/model/edit-tab'
import { paths } from '@/lib/paths'
import { usePlanLimits } from './use-plan-limits'

const EditParts = lazyPart(
  async () => (await import('@/features/owner/components/forms')).EditParts,
)
const ServicesPanel = lazyPart(
  async () => (await import('@/features/services/components/services-panel')).ServicesPanel,
)
const PhotosPanel = lazyPart(
  async () => (await import('@/features/photos/components/photos-panel')).PhotosPanel,
)

const LogoPanel = lazyPart(
  async () => (await import('@/features/logos/components/logo-panel')).LogoPanel,
)

const waiting = <Skeleton className="h-44 rounded-panel" />

type BusinessPartsProps = { business: EditedBusiness; userId: string; isAdmin: boolean }

/** Returns a function that refetches everything that shows the business. */
function useChanged() {
  const client = useQueryClient()
  return useCallback(() => {
    for (const key of [ownerKeys.all, businessKeys.all]) {
      void client.invalidateQueries({ queryKey: key })
    }
  }, [client])
}

/** The parts that an admin can edit if the business's own row could not be read (PERM-08). */
export function AdminParts({ id, userId }: { id: string; userId: string }) {
  const handleChanged = useChanged()
  return (
    <Suspense fallback={waiting}>
      <div className="grid gap-10 *:min-w-0">
        <ServicesPanel businessId={id} onChanged={handleChanged} onUnsaved={nothing} />
        <PhotosPanel
          userId={userId}
          businessId={id}
          cover={null}
          allowed={null}
          plansHref={paths.plans}
          onChanged={handleChanged}
        />
      </div>
    </Suspense>
  )
}

const nothing = () => {}

/** The parts of the edit screen, with what each needs from other features. */
export function BusinessParts({ business, userId, isAdmin }: BusinessPartsProps) {
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const [isServiceUnsaved, setServiceUnsaved] = useState(false)
  const { isPending, limits, has } = usePlanLimits(userId, isAdmin)
  const { data, error, refetch } = useQuery(categoriesQuery)
  const client = useQueryClient()
  const handleChanged = useChanged()
  const handleStored = useCallback(
    (stored: EditedBusiness) => {
      client.setQueryData(ownerKeys.business(stored.id), stored)
      handleChanged()
    },
    [client, handleChanged],
  )
  return (
    <FormNeeds categories={{ data, error, refetch }} isPending={isPending}>
      {(needs) => (
        <Suspense fallback={waiting}>
          <EditParts
            {...needs}
            business={business}
            allowed={limits.descriptionLength}
            tab={readEditTab(params)}
            onTab={(tab) => setParams({ tab }, { preventScrollReset: true })}
            onStored={handleStored}
            isServiceUnsaved={isServiceUnsaved}
            onDone={() => void navigate(isAdmin ? paths.admin : paths.myBusinesses)}
            services={
              <Suspense fallback={waiting}>
                <ServicesPanel
                  businessId={business.id}
                  onChanged={handleChanged}
                  onUnsaved={setServiceUnsaved}
                />
              </Suspense>
            }
            photos={
              <Suspense fallback={waiting}>
                <div className="grid gap-10 *:min-w-0">
                  <LogoPanel
                    userId={userId}
                    business={business}
                    hasLogos={has('logo')}
                    plansHref={paths.plans}
                    onChanged={handleChanged}
                  />
                  <PhotosPanel
                    userId={userId}
                    businessId={business.id}
                    cover={business.image_url}
                    allowed={limits.photos}
                    plansHref={paths.plans}
                    onChanged={handleChanged}
                  />
                </div>
              </Suspense>
            }
          />
        </Suspense>
      )}
    </FormNeeds>
  )
}
