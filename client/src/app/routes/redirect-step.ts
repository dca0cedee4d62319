import { useQuery } from '@tanstack/react-query'
import { queryClient } from '@/app/query-client'
import { redirectQuery } from '@/features/businesses/api/detail-queries'
import { isSitePath } from '@/lib/return-path'

/**
 * Returns a stored redirect if it may be followed: a path of this site other than the current one
 * (S-52).
 */
function followable(target: string | null | undefined, pathname: string): string | null {
  return target && isSitePath(target) && target !== pathname ? target : null
}

/**
 * Returns where this path was moved to, once that is known (ROUTE-36). Pages do not wait for it.
 */
export function useStoredRedirect(pathname: string): string | null {
  const { data } = useQuery(redirectQuery(pathname))
  return followable(data, pathname)
}

/** The same for a loader that has nothing to show before the response. */
export async function storedRedirect(pathname: string): Promise<string | null> {
  try {
    return followable(await queryClient.query(redirectQuery(pathname)), pathname)
  } catch {
    // Without a response it is an unknown URL, as it would be without redirects.
    return null
  }
}
