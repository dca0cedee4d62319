import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/ui/skeleton'
import { UpcomingCard } from '@/features/bookings/components/upcoming-card'
import { messages } from '@/features/dashboard/messages'
import { categoriesQuery } from '@/features/directory/api/queries'
import { topCodeOf } from '@/features/directory/model/categories'
import { NotificationsCard } from '@/features/notifications/components/notifications-card'
import { paths } from '@/lib/paths'
import type { Role } from '@/lib/role'

// Shown only to some users, or only below the fold.
const OverviewCard = lazyPart(
  async () => (await import('@/features/admin/components/overview-card')).OverviewCard,
)
const SellerCard = lazyPart(
  async () => (await import('@/features/seller/components/seller-card')).SellerCard,
)
const FavoriteGrid = lazyPart(
  async () => (await import('@/features/favorites/components/favorite-grid')).FavoriteGrid,
)

/** The widgets of the first tab (DASH-04 to DASH-09); sellers do not see the seller card (C-20). */
export function Overview({ userId, role }: { userId: string; role: Role }) {
  return (
    <div className="grid gap-5">
      <div className="grid gap-5 md:grid-cols-2">
        <UpcomingCard userId={userId} allHref={paths.dashboardTab('bookings')} />
        <NotificationsCard userId={userId} />
      </div>
      <Suspense fallback={<Skeleton className="h-52 rounded-panel" />}>
        {role === 'admin' && <OverviewCard />}
        {role === 'user' && <SellerCard userId={userId} />}
      </Suspense>
      <div className="grid gap-5 pt-4">
        <h2 className="text-xl">{messages.favorites}</h2>
        <Favorites userId={userId} allHref={paths.dashboardTab('favorites')} />
      </div>
    </div>
  )
}

/** All favourites (DASH-08). */
export function FavoritesTab({ userId }: { userId: string }) {
  return (
    <>
      <h2 className="sr-only">{messages.favorites}</h2>
      <Favorites userId={userId} />
    </>
  )
}

function Favorites({ userId, allHref }: { userId: string; allHref?: string }) {
  const { data: categories = [] } = useQuery(categoriesQuery)
  return (
    <Suspense fallback={<Skeleton className="h-96 rounded-panel" />}>
      <FavoriteGrid
        userId={userId}
        topCategoryOf={(code) => topCodeOf(code, categories)}
        {...(allHref !== undefined && { allHref })}
      />
    </Suspense>
  )
}
