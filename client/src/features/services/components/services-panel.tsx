import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { QueryState } from '@/components/query-state'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'
import { useAddService, useDeleteService } from '../api/mutations'
import { type Service, servicesQuery } from '../api/queries'
import { messages } from '../messages'
import { emptyService, type ServiceValues } from '../model/service'
import { ServiceForm } from './service-form'
import { ServiceRow } from './service-row'

export type ServicesPanelProps = {
  businessId: string
  /** Called to refetch everything that shows services. */
  onChanged: () => void
  /** Reports whether there is unsaved input. */
  onUnsaved: (isUnsaved: boolean) => void
}

/** The services of a business: adding, editing in place, deleting (OWNER-19 to OWNER-21). */
export function ServicesPanel({ businessId, onChanged, onUnsaved }: ServicesPanelProps) {
  const query = useQuery(servicesQuery(businessId))
  const [deleted, setDeleted] = useState<Service | null>(null)
  const add = useAddService({ businessId, onChanged })
  const remove = useDeleteService({ businessId, onChanged })
  const dirtyForms = useRef(new Set<string>())
  const handleDirty = useCallback(
    (form: string, isDirty: boolean) => {
      if (isDirty) dirtyForms.current.add(form)
      else dirtyForms.current.delete(form)
      onUnsaved(dirtyForms.current.size > 0)
    },
    [onUnsaved],
  )
  const title = useRef<HTMLHeadingElement>(null)

  const addOne = async (values: ServiceValues) => {
    await add.mutateAsync(values)
    return null
  }
  const confirmDelete = (service: Service) =>
    remove.mutate(service, {
      onError: (error) =>
        showToast({
          title: messages.deleteFailed,
          text: describeError(error),
          tone: 'danger',
        }),
      onSettled: () => setDeleted(null),
      // The focused row was removed.
      onSuccess: () => requestAnimationFrame(() => title.current?.focus()),
    })

  return (
    <div className="grid max-w-3xl gap-8">
      <section className="grid gap-3">
        <h2 className="text-lg">{messages.addTitle}</h2>
        <p className="max-w-text text-sm text-muted">
          {messages.text} {messages.atOnce}
        </p>
        <ServiceForm
          label={messages.addTitle}
          initial={emptyService}
          saveLabel={messages.add}
          failed={messages.addFailed}
          save={addOne}
          onDirty={handleDirty}
          isRepeated
        />
      </section>
      <section className="grid gap-3">
        <h2 ref={title} tabIndex={-1} className="text-lg">
          {messages.title}
        </h2>
        <QueryState
          query={query}
          errorTitle={messages.loadFailed}
          pending={<ServicesSkeleton />}
          isEmpty={(services) => services.length === 0}
          empty={<EmptyState as="h3" title={messages.empty} text={messages.emptyText} />}
        >
          {(services) => (
            <div className="grid gap-3">
              <p className="nums text-sm text-muted" role="status">
                {messages.count(services.length)}
              </p>
              <ul className="grid gap-3">
                {services.map((service) => (
                  <li key={service.id}>
                    <ServiceRow
                      service={service}
                      businessId={businessId}
                      onChanged={onChanged}
                      onDirty={handleDirty}
                      onDelete={() => setDeleted(service)}
                    />
                  </li>
                ))}
              </ul>
            </div>
          )}
        </QueryState>
      </section>
      <ConfirmDialog
        open={deleted !== null}
        onClose={() => setDeleted(null)}
        title={messages.deleteTitle}
        text={messages.deleteText(deleted?.name ?? '')}
        confirmLabel={messages.deleteConfirm}
        pending={remove.isPending}
        onConfirm={() => deleted && confirmDelete(deleted)}
      />
    </div>
  )
}

/** A placeholder for services that are loading. */
export function ServicesSkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className="grid max-w-3xl gap-3">
      {[0, 1, 2].map((index) => (
        <Skeleton key={index} className="h-18 rounded-card" />
      ))}
    </SkeletonGroup>
  )
}
