import { TestToolsPanel } from '@/features/admin/components/test-tools-panel'
import { TestUsersPanel } from '@/features/admin/components/test-users-panel'
import { useTestLogin } from './use-test-login'

/** The marked test users (ADMIN-TEST-06 to 08). */
export function TestUsersTab() {
  return <TestUsersPanel logIn={useTestLogin()} />
}

/** Test data and its removal (ADMIN-TEST-01 to 05). */
export function TestToolsTab() {
  return <TestToolsPanel logIn={useTestLogin()} />
}
