import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { Button } from '@/components/ui/button'
import { useSession } from '@/lib/session'
import { fold } from '@/lib/text'
import { alertMessages as messages } from '../alert-messages'
import { type AlertTerms, alertsQuery, useSetAlert } from '../api/alerts'
import { takeWantedAlert, wantAlert } from '../model/wanted-alert'
import { AlternativeSection } from './alternative-section'

type AlertSectionProps = {
  terms: AlertTerms
  /** Redirects to sign-in and back. */
  onSignIn: () => void
}

/** Offers an alert for a search without results. */
export function AlertSection({ terms, onSignIn }: AlertSectionProps) {
  const session = useSession()
  if (session.status === 'pending')
    return <AlternativeSection title={messages.title} text={messages.text} />
  if (session.status === 'signed-in') return <SignedIn terms={terms} userId={session.user.id} />
  return (
    <AlternativeSection title={messages.title} text={messages.text}>
      <Button
        variant="outline"
        onClick={() => {
          wantAlert(terms)
          onSignIn()
        }}
      >
        <Bell className="size-4" strokeWidth={1.75} aria-hidden />
        {messages.signIn}
      </Button>
    </AlternativeSection>
  )
}

function SignedIn({ terms, userId }: { terms: AlertTerms; userId: string }) {
  const { data: alerts, isError } = useQuery(alertsQuery(userId))
  const { mutate, isPending } = useSetAlert(userId)
  const saveWanted = useEffectEvent(() => {
    if (takeWantedAlert(terms)) mutate(terms)
  })
  useEffect(() => saveWanted(), [])
  const kept = alerts?.find((alert) => isOf(alert, terms))
  const isBusy = isPending || (alerts === undefined && !isError)
  return (
    <AlternativeSection title={kept ? messages.on : messages.title} text={messages.text}>
      {kept ? (
        <Button variant="outline" pending={isBusy} onClick={() => mutate({ id: kept.id })}>
          {messages.stop}
        </Button>
      ) : (
        <Button pending={isBusy} onClick={() => mutate(terms)}>
          <BellRing className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.tell}
        </Button>
      )}
    </AlternativeSection>
  )
}

type Alert = { find_desc: string | null; find_loc: string | null; category: string | null }

/** Reports whether an alert has these terms, compared as in the database. */
const isOf = (alert: Alert, { findDesc, findLoc, category }: AlertTerms) =>
  fold(alert.find_desc ?? '') === fold(findDesc) &&
  fold(alert.find_loc ?? '') === fold(findLoc) &&
  fold(alert.category ?? '') === fold(category)
