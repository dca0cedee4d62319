import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { countText } from '@/lib/formats'
import { adminKeys } from '../api/keys'
import { migrateUrls } from '../api/url-migration'
import { migrationMessages as texts } from '../migration-messages'
import { noMigration, runMigration } from '../model/url-migration'

/** Runs the migration. It stops when it is told to or when the panel is left. */
export function useMigration() {
  const client = useQueryClient()
  const [state, setState] = useState(noMigration)
  const [isStopping, setStopping] = useState(false)
  const isStopped = useRef(false)
  const run = useMutation({
    mutationFn: () => {
      isStopped.current = false
      setStopping(false)
      setState(noMigration)
      return runMigration({
        migrate: migrateUrls,
        onProgress: setState,
        isStopped: () => isStopped.current,
      })
    },
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.all }),
  })
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  return {
    run,
    state,
    isStopping,
    isRunning: run.isPending,
    stop: () => {
      isStopped.current = true
      setStopping(true)
    },
  }
}

export function MigrationActions({
  run,
  state,
  isStopping,
  stop,
}: ReturnType<typeof useMigration>) {
  const start = () =>
    run.mutate(undefined, {
      onSuccess: (isComplete) => {
        if (isComplete) showToast({ title: texts.completed, tone: 'success' })
      },
      onError: () => showToast({ title: texts.failed, tone: 'danger' }),
    })
  const wasStopped = run.isError || run.data === false
  return (
    <div className="flex flex-wrap items-center gap-3">
      {run.isPending && (
        <>
          <span className="nums text-sm text-muted">
            {texts.running(countText(state.successful + state.errors))}
          </span>
          <Button variant="outline" disabled={isStopping} onClick={stop}>
            {isStopping ? texts.stopping : texts.stop}
          </Button>
        </>
      )}
      <Button pending={run.isPending} onClick={start}>
        {wasStopped ? texts.resume : texts.start}
      </Button>
    </div>
  )
}
