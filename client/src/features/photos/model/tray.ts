import { toAppError } from '@/lib/errors'
import { checkFile, type FileProblem, type PhotoType } from '@/lib/photo-file'
import type { AddPhoto } from '../api/add-photo'
import type { UploadPhoto } from '../api/upload'
import { photoKey } from './photo-key'

/** The progress of a selected file. */
export type TrayStep =
  | { step: 'ready' }
  | { step: 'invalid'; problem: FileProblem }
  | { step: 'queued' }
  | { step: 'uploading'; share: number; isOffline: boolean }
  | { step: 'saving' }
  | { step: 'failed'; at: 'upload' | 'add'; code: string }

export type TrayItem = {
  id: string
  file: File
  type: PhotoType | null
  /** Object URL of the file's picture. */
  preview: string
  caption: string
  isCover: boolean
  state: TrayStep
  /** Object name, once its bytes are stored. */
  stored: string | null
}

/** The dependencies of a tray. */
export type TrayDeps = {
  upload: (photo: UploadPhoto) => Promise<void>
  add: (photo: AddPhoto) => Promise<void>
  now: () => Date
  random: () => string
}

/** Reports whether the file is being uploaded or added. */
export const isBusy = ({ state }: TrayItem) =>
  state.step === 'queued' || state.step === 'uploading' || state.step === 'saving'

/** Reports whether the file can be sent. */
export const isSendable = ({ state }: TrayItem) => state.step === 'ready' || state.step === 'failed'

/** Returns the items that the plan has space for, in the order of selection; null: no limit. */
export function sendable(items: readonly TrayItem[], room: number | null): TrayItem[] {
  const busy = items.filter(isBusy).length
  const waiting = items.filter(isSendable)
  return room === null ? waiting : waiting.slice(0, Math.max(0, room - busy))
}

/**
 * The files selected for a business. It outlives the screen: a user who leaves to buy a plan finds
 * the files on return, and uploads continue meanwhile. Files are uploaded one at a time, in the
 * order of selection, so that the first becomes the cover.
 */
export class Tray {
  #items: readonly TrayItem[] = []
  #listeners = new Set<() => void>()
  #abort = new Map<string, AbortController>()
  #isRunning = false

  constructor(
    readonly businessId: string,
    private readonly deps: TrayDeps,
  ) {}

  items = (): readonly TrayItem[] => this.#items

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #set(items: readonly TrayItem[]): void {
    const wasBusy = this.#items.some(isBusy)
    this.#items = items
    const isNowBusy = items.some(isBusy)
    if (isNowBusy && !wasBusy) window.addEventListener('beforeunload', warn)
    if (!isNowBusy && wasBusy) window.removeEventListener('beforeunload', warn)
    for (const listener of this.#listeners) listener()
  }

  change(id: string, change: Partial<TrayItem>): void {
    this.#set(this.#items.map((item) => (item.id === id ? { ...item, ...change } : item)))
  }

  /** Adds files; problems are shown next to each. */
  async choose(files: readonly File[]): Promise<void> {
    const chosen = await Promise.all(
      files.map(async (file): Promise<TrayItem> => {
        const { type, problem } = await checkFile(file)
        return {
          id: this.deps.random(),
          file,
          type,
          preview: type === null ? '' : URL.createObjectURL(file),
          caption: '',
          isCover: false,
          state: problem === null ? { step: 'ready' } : { step: 'invalid', problem },
          stored: null,
        }
      }),
    )
    this.#set([...this.#items, ...chosen])
  }

  /** At most one file can become the cover. */
  chooseCover(id: string, isCover: boolean): void {
    this.#set(this.#items.map((item) => ({ ...item, isCover: isCover && item.id === id })))
  }

  /** Removes a file and aborts its upload. */
  remove(id: string): void {
    this.#abort.get(id)?.abort()
    const item = this.#items.find((one) => one.id === id)
    if (item && item.preview !== '') URL.revokeObjectURL(item.preview)
    this.#set(this.#items.filter((one) => one.id !== id))
  }

  /** Sends files, and calls `onAdded` after each one that became a photo. */
  async send(ids: readonly string[], userId: string, onAdded: () => void): Promise<void> {
    this.#set(
      this.#items.map((item) =>
        ids.includes(item.id) && isSendable(item) ? { ...item, state: { step: 'queued' } } : item,
      ),
    )
    if (this.#isRunning) return
    this.#isRunning = true
    for (;;) {
      const next = this.#items.find(({ state }) => state.step === 'queued')
      if (!next) break
      if (await this.#sendOne(next, userId)) onAdded()
    }
    this.#isRunning = false
  }

  async #sendOne(item: TrayItem, userId: string): Promise<boolean> {
    const { id, file, type } = item
    if (type === null) return false
    const { businessId } = this
    const { upload, add, now, random } = this.deps
    let at: 'upload' | 'add' = 'upload'
    try {
      let key = item.stored
      if (key === null) {
        key = photoKey({ userId, businessId, type, now: now(), random: random() })
        await this.#upload(upload, { id, file, type, key })
      }
      at = 'add'
      this.change(id, { stored: key, state: { step: 'saving' } })
      const { caption, isCover } = this.#items.find((one) => one.id === id) ?? item
      await add({ businessId, key, caption, isCover })
      this.remove(id)
      return true
    } catch (error) {
      const { code, kind } = toAppError(error)
      // Only without a response may a row already refer to the bytes.
      const stored = at === 'add' && (kind === 'network' || kind === 'server')
      this.change(id, {
        state: { step: 'failed', at, code },
        ...(stored ? {} : { stored: null }),
      })
      return false
    } finally {
      this.#abort.delete(id)
    }
  }

  async #upload(
    upload: TrayDeps['upload'],
    { id, file, type, key }: { id: string; file: File; type: PhotoType; key: string },
  ): Promise<void> {
    const controller = new AbortController()
    this.#abort.set(id, controller)
    let share = 0
    let isOffline = false
    const show = () => this.change(id, { state: { step: 'uploading', share, isOffline } })
    show()
    await upload({
      file,
      type,
      key,
      onProgress: (value) => {
        share = value
        show()
      },
      onConnection: (isLost) => {
        if (isLost === isOffline) return
        isOffline = isLost
        show()
      },
      signal: controller.signal,
    })
  }
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
