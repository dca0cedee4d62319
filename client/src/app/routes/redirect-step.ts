import { useQuery } from '@tanstack/react-query'
import { queryClient } from '@/app/query-client'
import { redirectQuery } from '@/features/businesses/api/detail-queries'
import { isSitePath } from '@/lib/return-path'

/** A stored redirect that may be followed: a path of this site, and not the one we are on (S-52). */
function followable(target: string | null | undefined, pathname: string): string | null {
  return target && isSitePath(target) && target !== pathname ? target : null
}

/** Where this path was moved to, once that is known (ROUTE-36). It never holds a page up. */
export function useStoredRedirect(pathname: string): string | null {
  const { data } = useQuery(redirectQuery(pathname))
  return followable(data, pathname)
}

/** The same for a loader, where there is nothing to show before the answer. */
export async function storedRedirect(pathname: string): Promise<string | null> {
  try {
    return followable(await queryClient.query(redirectQuery(pathname)), pathname)
  } catch {
    // Then it is an unknown address, as it would have been.
    return null
  }
}
