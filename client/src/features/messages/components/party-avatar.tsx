import { TileCover } from '@/components/tile/tile-cover'
import { Avatar } from '@/components/ui/avatar'
import { cn } from '@/lib/cn'
import type { Conversation } from '../model/conversation'

type PartyAvatarProps = {
  party: Pick<Conversation, 'business' | 'isOwner' | 'name' | 'avatarUrl'>
  topCategoryOf: (category: string) => string
  className?: string
}

/** The other party's image: a business's picture or tile, a customer's picture or initials. */
export function PartyAvatar({ party, topCategoryOf, className }: PartyAvatarProps) {
  const { business, isOwner, name, avatarUrl } = party
  if (isOwner || business === null || business.imageUrl !== null) {
    return (
      <Avatar
        name={name}
        src={isOwner ? avatarUrl : (business?.imageUrl ?? null)}
        className={className ?? ''}
      />
    )
  }
  return (
    <TileCover
      category={topCategoryOf(business.category)}
      id={business.id}
      className={cn('size-10 shrink-0 rounded-full', className)}
    />
  )
}
