import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'react-router'
import { businessQuery } from '@/features/businesses/api/detail-queries'
import { BusinessSkeleton } from '@/features/businesses/components/business-states'
import { BusinessScreen } from './business-screen'

/**
 * /{location}/{category}/{id}/{name} (ROUTE-16): looks the business up by its stored address, or
 * else by the id or number in it (C-27).
 */
export function Component() {
  const { businessId = '' } = useParams()
  const pathname = decodeURI(useLocation().pathname)
  const stored = useQuery(businessQuery(pathname))
  if (stored.isPending) return <BusinessSkeleton />
  return <BusinessScreen key={pathname} businessKey={stored.data ? pathname : businessId} />
}
