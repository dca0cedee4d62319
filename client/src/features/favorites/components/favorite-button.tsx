import { useQuery } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { cn } from '@/lib/cn'
import { useSetFavorite } from '../api/mutations'
import { favoriteQuery } from '../api/queries'
import { messages } from '../messages'

type FavoriteButtonProps = {
  business: { id: string; name: string }
  /** Null if nobody is signed in. */
  userId: string | null
  /** Redirects a visitor to sign-in, with the reason (FAV-02). */
  onSignIn: () => void
}

/** Adds a business to the favourites or removes it. */
export function FavoriteButton({ business, userId, onSignIn }: FavoriteButtonProps) {
  if (userId !== null) return <SignedIn business={business} userId={userId} />
  const handleClick = () => {
    showToast({ title: messages.signIn, text: messages.signInText })
    onSignIn()
  }
  return <HeartButton isFavorite={false} onClick={handleClick} />
}

function SignedIn({
  business,
  userId,
}: {
  business: { id: string; name: string }
  userId: string
}) {
  const { data: isFavorite = false, isPending } = useQuery(favoriteQuery(userId, business.id))
  const setFavorite = useSetFavorite(userId, business)
  return (
    <HeartButton
      isFavorite={isFavorite}
      disabled={isPending}
      onClick={() => setFavorite.mutate(!isFavorite)}
    />
  )
}

function HeartButton({
  isFavorite,
  disabled = false,
  onClick,
}: {
  isFavorite: boolean
  disabled?: boolean
  onClick: () => void
}) {
  return (
    <Button variant="outline" aria-pressed={isFavorite} disabled={disabled} onClick={onClick}>
      <Heart
        className={cn('size-5', isFavorite && 'fill-danger text-danger')}
        strokeWidth={1.75}
        aria-hidden
      />
      {messages.favorite}
    </Button>
  )
}
