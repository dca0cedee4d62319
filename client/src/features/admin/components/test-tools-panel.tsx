import { useSearchParams } from 'react-router'
import { Tabs } from '@/components/ui/tabs'
import { messages } from '../messages'
import { testMessages as texts } from '../test-messages'
import { TestData } from './test-data'
import { type LogIn, TestUsersPanel } from './test-users-panel'

const views = ['data', 'users'] as const

/** The test tools: test data and test users (ADMIN-TEST-01). */
export function TestToolsPanel({ logIn }: { logIn: LogIn }) {
  const [params, setParams] = useSearchParams()
  const view = views.find((one) => one === params.get('view')) ?? views[0]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="grid gap-1">
        <h2 className="text-xl">{messages.tab['test-tools']}</h2>
        <p className="max-w-[72ch] text-sm text-muted">{texts.text}</p>
      </div>
      <Tabs
        label={texts.tabs}
        value={view}
        onChange={(next) =>
          setParams(
            { tab: 'test-tools', ...(next !== views[0] && { view: next }) },
            { preventScrollReset: true },
          )
        }
        tabs={[
          { key: 'data', label: texts.data, content: <TestData /> },
          { key: 'users', label: texts.users, content: <TestUsersPanel logIn={logIn} /> },
        ]}
      />
    </div>
  )
}
