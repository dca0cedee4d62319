import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { formatMoney } from '@/lib/money'
import { formatDuration } from '@/lib/time'
import { useSaveService } from '../api/mutations'
import type { Service } from '../api/queries'
import { messages } from '../messages'
import { type ServiceValues, serviceText, toForm } from '../model/service'
import { type Refusal, ServiceForm } from './service-form'

type ServiceRowProps = {
  service: Service
  businessId: string
  onChanged: () => void
  onDelete: () => void
  onDirty: (form: string, isDirty: boolean) => void
}

/** A service in the list; pressing it replaces it with its form. */
export function ServiceRow(props: ServiceRowProps) {
  const { service, businessId, onChanged, onDelete, onDirty } = props
  const [isEdited, setEdited] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const wasEdited = useRef(false)
  // After the form closes, the focus returns to the row.
  useEffect(() => {
    if (wasEdited.current && !isEdited) edit.current?.focus()
    wasEdited.current = isEdited
  }, [isEdited])

  if (isEdited) {
    return (
      <EditForm
        service={service}
        businessId={businessId}
        onChanged={onChanged}
        onDirty={onDirty}
        onClose={() => setEdited(false)}
      />
    )
  }
  const { name, description, price, duration } = service
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 rounded-card border border-line bg-surface py-3 ps-4 pe-2 sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:ps-5">
      <div className="max-sm:col-span-full">
        <h3 className="font-text text-base font-semibold tracking-normal [overflow-wrap:anywhere]">
          {name}
        </h3>
        {description !== null && (
          <p className="text-sm text-muted [overflow-wrap:anywhere]">{description}</p>
        )}
      </div>
      <p className="nums flex gap-4">
        <span className="text-muted">{formatDuration(duration)}</span>
        <span className="font-semibold">{formatMoney(price)}</span>
      </p>
      <div className="flex">
        <Button
          ref={edit}
          variant="quiet"
          size="icon"
          aria-label={`${messages.edit} ${name}`}
          onClick={() => setEdited(true)}
        >
          <Pencil className="size-5" strokeWidth={1.75} aria-hidden />
        </Button>
        <Button
          variant="quiet"
          size="icon"
          aria-label={`${messages.delete} ${name}`}
          onClick={onDelete}
        >
          <Trash2 className="size-5" strokeWidth={1.75} aria-hidden />
        </Button>
      </div>
    </div>
  )
}

type EditFormProps = Omit<ServiceRowProps, 'onDelete'> & { onClose: () => void }

function EditForm({ service, businessId, onChanged, onDirty, onClose }: EditFormProps) {
  const [before, setBefore] = useState(service)
  const { mutateAsync } = useSaveService({ businessId, onChanged })
  const save = async (values: ServiceValues): Promise<Refusal | null> => {
    const saved = await mutateAsync({ before, values })
    if (saved.state === 'gone') return { title: messages.goneTitle, text: messages.kept }
    if (saved.state === 'changed') {
      setBefore(saved.now)
      const text = `${messages.kept} ${messages.changedText(serviceText(saved.now))}`
      return { title: messages.changedTitle, text }
    }
    onClose()
    return null
  }
  return (
    <ServiceForm
      label={`${messages.edit} ${service.name}`}
      initial={toForm(service)}
      saveLabel={messages.save}
      failed={messages.saveFailed}
      save={save}
      onDirty={onDirty}
      autoFocus
      cancel={
        <Button variant="outline" onClick={onClose}>
          {messages.cancel}
        </Button>
      }
    />
  )
}
