import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader } from '@/components/page-header'
import { Breadcrumb } from '@/components/ui/breadcrumb'
import { ButtonLink } from '@/components/ui/button'
import { TabRail } from '@/components/ui/tab-rail'
import { useLiveQueue } from '@/features/admin/api/queue'
import { ListSkeleton } from '@/features/admin/components/list-skeleton'
import { QueueCount } from '@/features/admin/components/queue-count'
import { messages } from '@/features/admin/messages'
import { type AdminTab, adminTabs, isQueue, readTab } from '@/features/admin/model/tabs'
import { businessKeys } from '@/features/businesses/api/keys'
import { ownerKeys } from '@/features/owner/api/keys'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useAccessLoss } from '../admin/use-access-loss'

const BusinessesPanel = lazyPart(
  async () => (await import('@/features/admin/components/businesses-panel')).BusinessesPanel,
)
const UsersPanel = lazyPart(
  async () => (await import('@/features/admin/components/users-panel')).UsersPanel,
)
const CategoriesPanel = lazyPart(
  async () => (await import('@/features/admin/components/categories-panel')).CategoriesPanel,
)
const LocationsPanel = lazyPart(
  async () => (await import('@/features/admin/components/locations-panel')).LocationsPanel,
)
const ClaimsPanel = lazyPart(
  async () => (await import('@/features/admin/components/claims-panel')).ClaimsPanel,
)
const ApplicationsPanel = lazyPart(
  async () => (await import('@/features/admin/components/applications-panel')).ApplicationsPanel,
)
const ReportsPanel = lazyPart(
  async () => (await import('@/features/admin/components/reports-panel')).ReportsPanel,
)
const AuditPanel = lazyPart(
  async () => (await import('@/features/admin/components/audit-panel')).AuditPanel,
)
const SchemaPanel = lazyPart(
  async () => (await import('@/features/admin/components/schema-panel')).SchemaPanel,
)
const TestUsersTab = lazyPart(async () => (await import('../admin/test-tabs')).TestUsersTab)
const TestToolsTab = lazyPart(async () => (await import('../admin/test-tabs')).TestToolsTab)
const IntegrityPanel = lazyPart(
  async () => (await import('@/features/admin/components/integrity-panel')).IntegrityPanel,
)
const MetricsTab = lazyPart(async () => (await import('../admin/metrics-tab')).MetricsTab)
const UrlMigrationPanel = lazyPart(
  async () => (await import('@/features/admin/components/url-migration-panel')).UrlMigrationPanel,
)
const ImportPanel = lazyPart(
  async () => (await import('@/features/admin/components/import-panel')).ImportPanel,
)
const SupportPanel = lazyPart(
  async () => (await import('@/features/admin/components/support-panel')).SupportPanel,
)

/** The admin panel (ROUTE-31, ROUTE-32, ADMIN-USERS-05 to ADMIN-USERS-07). */
export function Component() {
  const [params, setParams] = useSearchParams()
  const { user } = useSession()
  const tab = readTab(params)
  usePageMeta({ title: pageTitle(`${messages.tab[tab]} · ${messages.title}`) })
  useAccessLoss(user?.id ?? '')
  useLiveQueue()
  if (!user) return null
  const content: Record<AdminTab, React.ReactNode> = {
    businesses: <Businesses />,
    users: <UsersPanel ownId={user.id} />,
    categories: <CategoriesPanel />,
    locations: <LocationsPanel />,
    'url-migration': <UrlMigrationPanel />,
    claims: <ClaimsPanel />,
    applications: <ApplicationsPanel />,
    reports: <ReportsPanel />,
    audit: <AuditPanel />,
    schema: <SchemaPanel />,
    'test-users': <TestUsersTab />,
    'test-tools': <TestToolsTab />,
    integrity: <IntegrityPanel />,
    metrics: <MetricsTab />,
    support: <SupportPanel />,
    import: <Import />,
  }
  return (
    <div className="page pb-16">
      <PageHeader
        title={messages.title}
        actions={
          <ButtonLink variant="outline" to={paths.debugAdmin}>
            {messages.debug}
          </ButtonLink>
        }
        above={
          <Breadcrumb
            crumbs={[
              { key: 'home', label: messages.home, to: paths.home },
              { key: 'admin', label: messages.title, to: paths.admin },
              { key: 'tab', label: messages.tab[tab] },
            ]}
          />
        }
      />
      <TabRail
        label={messages.tabs}
        value={tab}
        onChange={(next) =>
          setParams(next === adminTabs[0] ? {} : { tab: next }, { preventScrollReset: true })
        }
        tabs={adminTabs.map((key) => ({
          key,
          label: messages.tab[key],
          badge: isQueue(key) && <QueueCount queue={key} />,
          content: (
            <Suspense
              key={key}
              fallback={<ListSkeleton label={messages.loading(messages.tab[key])} />}
            >
              {content[key]}
            </Suspense>
          ),
        }))}
      />
    </div>
  )
}

/** Other screens show imported businesses, too. */
function Import() {
  const client = useQueryClient()
  return <ImportPanel onImported={() => client.invalidateQueries({ queryKey: businessKeys.all })} />
}

/** After a deletion, refetches what other screens show of businesses. */
function Businesses() {
  const client = useQueryClient()
  const handleDeleted = () => {
    for (const key of [businessKeys.all, ownerKeys.all]) {
      void client.invalidateQueries({ queryKey: key })
    }
  }
  return <BusinessesPanel onDeleted={handleDeleted} />
}
