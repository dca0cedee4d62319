import { Database, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { Widget } from '@/components/widget'
import { countText } from '@/lib/formats'
import { seedTestData, useTestTool } from '../api/test-tools'
import { refusalText } from '../model/refusal'
import {
  amountsText,
  type Intensity,
  intensities,
  intensityNames,
  testKinds,
} from '../model/test-data'
import { testMessages as texts } from '../test-messages'
import { ChoiceCards } from './choice-cards'
import { ClearAllDialog, ClearTestDialog } from './clear-dialogs'
import { type TestTools, TestToolsState } from './test-tools-state'

/** Test data: its numbers, seeding and clearing (ADMIN-TEST-02 to ADMIN-TEST-07). */
export function TestData() {
  return (
    <TestToolsState>
      {(tools) => (
        <>
          <Counts tools={tools} />
          {tools.is_on && (
            <div className="grid items-start gap-5 xl:grid-cols-2">
              <Seed />
              <Clear tools={tools} />
            </div>
          )}
        </>
      )}
    </TestToolsState>
  )
}

function Counts({ tools }: { tools: TestTools }) {
  return (
    <dl
      aria-label={texts.counts}
      className="grid grid-cols-2 gap-x-6 gap-y-4 rounded-card border border-line bg-surface px-4 py-3 sm:grid-cols-5"
    >
      {testKinds.map((kind) => (
        <div key={kind} className="grid">
          <dt className="text-sm text-muted">{texts.counted[kind].title}</dt>
          <dd className="nums font-display text-2xl">{countText(tools[kind])}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How long the summary is shown before the page reloads (ADMIN-TEST-07). */
const reloadAfterMs = 2500

function Seed() {
  const [intensity, setIntensity] = useState<Intensity>('standard')
  const [isReloading, setReloading] = useState(false)
  const seed = useTestTool(seedTestData)
  const handleSeed = () =>
    seed.mutate(intensity, {
      onSuccess: (amounts) => {
        const made = amountsText(amounts)
        setReloading(true)
        showToast({
          title: texts.seeded,
          text: made === '' ? texts.seededNothing : texts.seededText(made),
          tone: 'success',
        })
        setTimeout(() => window.location.reload(), reloadAfterMs)
      },
      onError: (error) => {
        // biome-ignore lint/suspicious/noConsole: the toast refers to the console (ERR-52).
        console.error(error)
        showToast({ title: texts.seedFailed, text: texts.seedFailedText, tone: 'danger' })
      },
    })
  return (
    <Widget
      title={texts.seedTitle}
      action={
        <Button pending={seed.isPending || isReloading} onClick={handleSeed}>
          <Database className="size-4.5" strokeWidth={1.75} aria-hidden />
          {texts.seed}
        </Button>
      }
    >
      <div className="grid gap-4">
        {seed.isError && (
          <Alert tone="danger" title={texts.seedFailedTitle}>
            {refusalText(seed.error)}
          </Alert>
        )}
        <ChoiceCards
          name="intensity"
          label={texts.intensity}
          options={intensityNames.map((name) => ({
            value: name,
            label: texts.intensities[name],
            text: amountsText(intensities[name]),
          }))}
          value={intensity}
          onChange={setIntensity}
        />
        <p className="text-sm text-muted">{texts.seedText}</p>
      </div>
    </Widget>
  )
}

function Clear({ tools }: { tools: TestTools }) {
  const [open, setOpen] = useState<'test' | 'all' | null>(null)
  const close = () => setOpen(null)
  return (
    <div className="grid gap-5">
      <Widget
        title={texts.clearTitle}
        action={
          <Button variant="outline" onClick={() => setOpen('test')}>
            <Trash2 className="size-4.5" strokeWidth={1.75} aria-hidden />
            {texts.clear}
          </Button>
        }
      >
        <p className="text-muted">{texts.clearText}</p>
      </Widget>
      <Widget
        title={texts.dangerTitle}
        action={
          <Button variant="danger" onClick={() => setOpen('all')}>
            <Trash2 className="size-4.5" strokeWidth={1.75} aria-hidden />
            {texts.clearAll}
          </Button>
        }
      >
        <p className="text-muted">{texts.dangerText}</p>
      </Widget>
      {open === 'test' && <ClearTestDialog tools={tools} onClose={close} />}
      {open === 'all' && <ClearAllDialog onClose={close} />}
    </div>
  )
}
