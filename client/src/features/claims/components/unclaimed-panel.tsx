import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Phone } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonClass } from '@/components/ui/button'
import { ownClaimQuery } from '../api/queries'
import { messages } from '../messages'
import { ClaimDialog } from './claim-dialog'
import { ClaimState } from './claim-state'

type UnclaimedPanelProps = {
  business: { id: string; name: string; phone: string | null }
  website: string | null
  /** Null if nobody is signed in. */
  userId: string | null
  /** Redirects to sign-in, which returns to this page. */
  onSignIn: () => void
}

/**
 * Replaces the booking panel if the business has no owner: how to contact the business, and how to
 * claim it.
 */
export function UnclaimedPanel({ business, website, userId, onSignIn }: UnclaimedPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const { name, phone } = business
  const { data: claim = null } = useQuery({
    ...ownClaimQuery(business.id, userId ?? ''),
    enabled: userId !== null,
  })
  return (
    <section
      aria-labelledby="unclaimed-title"
      className="grid gap-4 rounded-panel border border-line bg-surface p-5 max-lg:mt-10"
    >
      <div className="grid gap-1">
        <h2 id="unclaimed-title" className="text-xl">
          {messages.title}
        </h2>
        <p className="text-muted [overflow-wrap:anywhere]">{messages.text(name)}</p>
      </div>
      <div className="grid gap-2">
        {phone !== null && (
          <a
            data-visit="call"
            className={buttonClass({})}
            href={`tel:${phone.replace(/[^+\d]/g, '')}`}
          >
            <Phone className="size-5" strokeWidth={1.75} aria-hidden />
            {messages.call(phone)}
          </a>
        )}
        {website !== null && (
          <a
            data-visit="website"
            className={buttonClass({ variant: 'outline' })}
            href={website}
            rel="noopener nofollow"
          >
            <ExternalLink className="size-5" strokeWidth={1.75} aria-hidden />
            {messages.website}
          </a>
        )}
        {phone === null && website === null && <p className="text-sm">{messages.noContact}</p>}
      </div>
      {claim !== null && userId !== null && <ClaimState claim={claim} userId={userId} />}
      {claim?.status !== 'pending' && (
        <div className="flex flex-wrap items-center gap-x-3 border-line border-t pt-4">
          <span className="text-sm text-muted">{messages.isYours}</span>
          <Button
            variant="link"
            size="inline"
            onClick={() => (userId === null ? onSignIn() : setOpen(true))}
          >
            {messages.claim}
          </Button>
        </div>
      )}
      {isOpen && userId !== null && (
        <ClaimDialog
          business={business}
          website={website}
          userId={userId}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}
