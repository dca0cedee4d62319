import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { useShellAccount } from '@/app/layouts/use-account'
import { lazyPart } from '@/components/lazy-part'
import { categoriesQuery } from '@/features/directory/api/queries'
import { ownerKeys } from '@/features/owner/api/keys'
import { ownBusinessesQuery } from '@/features/owner/api/queries'
import { CreateFrame } from '@/features/owner/components/create-frame'
import { FormNeeds } from '@/features/owner/components/form-needs'
import { showCreated } from '@/features/owner/components/show-created'
import { messages } from '@/features/owner/messages'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { usePlanLimits } from './use-plan-limits'

const CreateForm = lazyPart(
  async () => (await import('@/features/owner/components/forms')).CreateForm,
)

/** Adds a business (OWNER-03, OWNER-09, C-40). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.newTitle) })
  const client = useQueryClient()
  const navigate = useNavigate()
  const account = useShellAccount()
  const userId = account.status === 'signed-in' ? account.userId : ''
  const isAdmin = account.status === 'signed-in' && account.role === 'admin'
  const { isPending, limits } = usePlanLimits(userId, isAdmin)
  const own = useQuery({ ...ownBusinessesQuery(userId), enabled: userId !== '' })
  const { data, error, refetch } = useQuery(categoriesQuery)
  if (account.status !== 'signed-in') return null
  const leave = () => void navigate(isAdmin ? paths.admin : paths.myBusinesses)
  return (
    <CreateFrame used={own.data?.length ?? 0} allowed={isPending ? null : limits.businesses}>
      <FormNeeds categories={{ data, error, refetch }} isPending={isPending || own.isPending}>
        {(needs) => (
          <Suspense>
            <CreateForm
              {...needs}
              allowed={limits.descriptionLength}
              plansHref={paths.plans}
              onCancel={leave}
              onCreated={(id) => {
                void client.invalidateQueries({ queryKey: ownerKeys.all })
                showCreated(() => void navigate(paths.businessEdit(id, 'services')))
                leave()
              }}
            />
          </Suspense>
        )}
      </FormNeeds>
    </CreateFrame>
  )
}
