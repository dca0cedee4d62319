import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { paths } from '@/lib/paths'
import { messages } from '../messages'
import type { Conversation } from '../model/conversation'
import { PartyAvatar } from './party-avatar'

type Party = Pick<Conversation, 'business' | 'isOwner' | 'name' | 'avatarUrl'>

type PaneHeadingProps = {
  party: Party
  topCategoryOf: (category: string) => string
  actions?: ReactNode
}

/** The other party of a conversation; on phones also a link back to the list. */
export function PaneHeading({ party, topCategoryOf, actions }: PaneHeadingProps) {
  const { name, business, isOwner } = party
  return (
    <header className="flex items-center gap-3 border-b border-line p-3">
      <ButtonLink to={paths.allMessages} variant="quiet" size="icon" className="lg:hidden">
        <ArrowLeft className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.back}</span>
      </ButtonLink>
      <PartyAvatar party={party} topCategoryOf={topCategoryOf} />
      <div className="grid min-w-0 flex-1">
        <h2 className="truncate font-text text-base font-semibold tracking-normal">{name}</h2>
        {isOwner && business && (
          <p className="truncate text-sm text-muted">{messages.about(business.name)}</p>
        )}
      </div>
      {actions}
    </header>
  )
}
