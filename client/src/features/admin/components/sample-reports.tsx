import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { toAppError } from '@/lib/errors'
import { createSampleReports, useTestTool } from '../api/test-tools'
import { refusalText } from '../model/refusal'
import { amountsText } from '../model/test-data'
import { testMessages as texts } from '../test-messages'

/** Makes sample reports where there are none: only reports, or everything (ADMIN-REPORT-06 to ADMIN-REPORT-08). */
export function SampleReports() {
  const create = useTestTool(createSampleReports)
  const start = (isComplete: boolean) =>
    create.mutate(isComplete, {
      onSuccess: (made) =>
        showToast({ title: texts.sampled, text: amountsText(made), tone: 'success' }),
      onError: (error) => {
        const refused = texts.refusals[toAppError(error).code]
        showToast({
          title: refused === undefined ? texts.sampleFailed : texts.sampleRefused,
          text: refused ?? refusalText(error),
          tone: 'danger',
        })
      },
    })
  const isBusy = (isComplete: boolean) => create.isPending && create.variables === isComplete
  return (
    <>
      <Button variant="outline" pending={isBusy(false)} onClick={() => start(false)}>
        {texts.sampleOnly}
      </Button>
      <Button pending={isBusy(true)} onClick={() => start(true)}>
        {texts.sampleComplete}
      </Button>
    </>
  )
}
