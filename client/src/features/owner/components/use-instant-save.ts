import { useRef, useState } from 'react'
import { showToast } from '@/components/ui/toast'
import { saveBusiness } from '../api/mutations'
import type { EditedBusiness } from '../api/queries'

export type SaveStep = 'idle' | 'saving' | 'saved' | 'failed' | 'changed' | 'gone'

type Options<Value> = {
  business: EditedBusiness
  column: 'hours' | 'amenities'
  read: (business: EditedBusiness) => Value
  write: (value: Value) => NonNullable<EditedBusiness['hours']>
  /** The toast after saving. */
  done: string
  onSaved: (business: EditedBusiness) => void
}

/**
 * A part of a business that is saved with each change (OWNER-07). Changes are shown at once and
 * written one after another; of several waiting changes only the last one is written. A change that
 * could not be saved is kept and can be retried.
 */
export function useInstantSave<Value>({
  business,
  column,
  read,
  write,
  done,
  onSaved,
}: Options<Value>) {
  const [value, setValue] = useState(() => read(business))
  const [step, setStep] = useState<SaveStep>('idle')
  const [error, setError] = useState<unknown>(null)
  // The stored version as far as it is known, and the next value to write.
  const base = useRef(business)
  const wanted = useRef<{ value: Value } | null>(null)
  const isRunning = useRef(false)

  const saveOne = async (next: Value): Promise<SaveStep> => {
    const saved = await saveBusiness(base.current, { [column]: write(next) })
    if (saved.state === 'gone') return 'gone'
    base.current = saved.state === 'saved' ? saved.business : saved.now
    if (saved.state === 'changed') return 'changed'
    onSaved(saved.business)
    return 'saved'
  }

  const run = async () => {
    if (isRunning.current) return
    isRunning.current = true
    setStep('saving')
    let reached: SaveStep = 'saved'
    try {
      while (reached === 'saved' && wanted.current) {
        const next = wanted.current.value
        wanted.current = null
        reached = await saveOne(next)
      }
      if (reached === 'saved') showToast({ title: done, tone: 'success' })
    } catch (thrown) {
      reached = 'failed'
      setError(thrown)
    }
    isRunning.current = false
    setStep(reached)
  }

  const change = (next: Value) => {
    setValue(next)
    wanted.current = { value: next }
    void run()
  }
  const acceptStored = () => {
    wanted.current = null
    setValue(read(base.current))
    setStep('idle')
  }
  return { value, step, error, change, retry: () => change(value), acceptStored }
}

export type InstantSave<Value> = ReturnType<typeof useInstantSave<Value>>

/** Reports whether leaving now would lose a change. */
export function isUnsaved(step: SaveStep): boolean {
  return step === 'saving' || step === 'failed' || step === 'changed'
}
