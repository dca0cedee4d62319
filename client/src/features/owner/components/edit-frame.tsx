import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { PageHeader } from '@/components/page-header'
import { Alert } from '@/components/ui/alert'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { Button, ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { type EditedBusiness, editedBusinessQuery } from '../api/queries'
import { messages } from '../messages'
import { editAccess } from '../model/edit-access'

type EditFrameProps = {
  id: string
  userId: string
  isAdmin: boolean
  /** Called after a failed load, following a delay (OWNER-11). */
  onGiveUp: () => void
  children: (business: EditedBusiness) => ReactNode
  /** What an admin can edit although the business could not be read (PERM-08). */
  without: ReactNode
}

/** Load-error delay (OWNER-11, CONST-17). */
const giveUpMs = 3000

/** The header of the edit screen, and what replaces it if there is nothing to edit. */
export function EditFrame(props: EditFrameProps) {
  const { id, userId, isAdmin, onGiveUp, children, without } = props
  const query = useQuery(editedBusinessQuery(id))
  const { data: business } = query
  if (business === undefined) {
    if (!query.isError) return <EditPending />
    const handleRetry = () => void query.refetch()
    return isAdmin ? (
      <AdminFallback onRetry={handleRetry}>{without}</AdminFallback>
    ) : (
      <LoadFailed onGiveUp={onGiveUp} onRetry={handleRetry} />
    )
  }
  const access = editAccess({ business, userId, isAdmin })
  if (business === null || access === 'not-found') {
    return <NotEditable title={messages.notFound} text={messages.notFoundText} />
  }
  if (access === 'denied') return <NotEditable title={messages.denied} text={messages.deniedText} />
  return (
    <>
      <PageHeader
        title={messages.editTitle}
        text={<span className="[overflow-wrap:anywhere]">{business.name}</span>}
        above={
          <Breadcrumb
            crumbs={[
              { key: 'list', label: messages.toList, to: paths.myBusinesses },
              { key: 'edit', label: messages.edit },
            ]}
          />
        }
        actions={
          <ButtonLink
            to={paths.business(business.id)}
            variant="outline"
            target="_blank"
            rel="noopener"
          >
            <ExternalLink className="size-5" strokeWidth={1.75} aria-hidden />
            {messages.preview}
            <span className="sr-only">{messages.previewNewTab}</span>
          </ButtonLink>
        }
      />
      {access === 'admin' && (
        <div className="mb-6">
          <Alert tone="info" title={messages.adminMode}>
            {business.owner_id === null ? (
              messages.noOwner
            ) : (
              <>
                <p>{messages.adminOwner(business.owner?.full_name ?? '')}</p>
                <p>{messages.adminContact}</p>
              </>
            )}
          </Alert>
        </div>
      )}
      {children(business)}
    </>
  )
}

function NotEditable({ title, text }: { title: string; text: string }) {
  return (
    <>
      <PageHeader title={messages.editTitle} />
      <Alert
        tone="danger"
        title={title}
        action={
          <ButtonLink to={paths.myBusinesses} variant="outline" size="sm">
            {messages.toList}
          </ButtonLink>
        }
      >
        {text}
      </Alert>
    </>
  )
}

/**
 * Lets an admin edit what does not need the business's row; the database decides about each write
 * (PERM-08, S-14).
 */
function AdminFallback({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  return (
    <>
      <PageHeader title={messages.editTitle} />
      <div className="mb-6 grid gap-3">
        <Alert tone="info" title={messages.adminMode} />
        <Alert
          tone="warning"
          title={messages.loadFailed}
          action={
            <Button variant="outline" size="sm" onClick={onRetry}>
              {messages.retry}
            </Button>
          }
        >
          {messages.partsWithout}
        </Alert>
      </div>
      {children}
    </>
  )
}

type LoadFailedProps = { onGiveUp: () => void; onRetry: () => void }

function LoadFailed({ onGiveUp, onRetry }: LoadFailedProps) {
  useEffect(() => {
    const timer = setTimeout(onGiveUp, giveUpMs)
    return () => clearTimeout(timer)
  }, [onGiveUp])
  return (
    <>
      <PageHeader title={messages.editTitle} />
      <Alert
        tone="danger"
        title={messages.loadFailed}
        action={
          <Button variant="outline" size="sm" onClick={onRetry}>
            {messages.retry}
          </Button>
        }
      >
        <p>{messages.ownershipUnread}</p>
        <p>{messages.loadFailedText}</p>
      </Alert>
    </>
  )
}

function EditPending() {
  return (
    <>
      <PageHeader title={messages.editTitle} text={messages.editPending} />
      <SkeletonGroup label={messages.editPending} className="grid gap-6">
        <Skeleton className="h-11 w-40" />
        <Skeleton className="h-44 rounded-panel sm:h-36" />
      </SkeletonGroup>
    </>
  )
}
