import { beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '@/lib/errors'
import { sendable, Tray, type TrayDeps } from './tray'

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1])
const photo = (name: string) => new File([jpeg], name, { type: 'image/jpeg' })

let made = 0
function newTray(deps: Partial<TrayDeps> = {}) {
  return new Tray('shop', {
    upload: async () => undefined,
    add: async () => undefined,
    now: () => new Date(0),
    random: () => `id${++made}`,
    ...deps,
  })
}
const steps = (tray: Tray) => tray.items().map(({ state }) => state.step)
const ids = (tray: Tray) => tray.items().map(({ id }) => id)

beforeEach(() => {
  URL.createObjectURL = () => 'blob:x'
  URL.revokeObjectURL = () => undefined
})

describe('OWNER-22: files on their way to being photos', () => {
  it('are uploaded one after another, in the order chosen, and then gone', async () => {
    const done: string[] = []
    const tray = newTray({
      upload: async ({ file, key }) => {
        done.push(`upload ${file.name} ${key.replace(/id\d+/, 'r')}`)
      },
      add: async ({ caption, isCover }) => {
        done.push(`add ${caption} ${isCover}`)
      },
    })
    await tray.choose([photo('a.jpg'), photo('b.jpg')])
    const [a, b] = ids(tray)
    tray.change(b ?? '', { caption: 'The room' })
    tray.chooseCover(a ?? '', true)
    tray.chooseCover(b ?? '', true)
    const added = vi.fn()
    await tray.send(ids(tray), 'ana', added)
    expect(done).toEqual([
      'upload a.jpg ana/shop/0-r.jpg',
      'add  false',
      'upload b.jpg ana/shop/0-r.jpg',
      'add The room true',
    ])
    expect(added).toHaveBeenCalledTimes(2)
    expect(tray.items()).toEqual([])
  })

  it('stay where one is refused, and the others go on', async () => {
    const tray = newTray({
      upload: async ({ file }) => {
        if (file.name === 'a.jpg') throw new AppError('plan_limit_photos', 'no', { status: 403 })
      },
    })
    await tray.choose([photo('a.jpg'), photo('b.jpg')])
    await tray.send(ids(tray), 'ana', () => undefined)
    expect(tray.items().map(({ file, state }) => [file.name, state])).toEqual([
      ['a.jpg', { step: 'failed', at: 'upload', code: 'plan_limit_photos' }],
    ])
  })

  it('tell how much has arrived, and that the connection is lost', async () => {
    const seen: unknown[] = []
    const tray = newTray({
      upload: async ({ onProgress, onConnection }) => {
        onProgress(0.5)
        onConnection(true)
        onConnection(false)
        onProgress(1)
      },
    })
    await tray.choose([photo('a.jpg')])
    tray.subscribe(() => seen.push(tray.items()[0]?.state))
    await tray.send(ids(tray), 'ana', () => undefined)
    expect(seen).toEqual([
      { step: 'queued' },
      { step: 'uploading', share: 0, isOffline: false },
      { step: 'uploading', share: 0.5, isOffline: false },
      { step: 'uploading', share: 0.5, isOffline: true },
      { step: 'uploading', share: 0.5, isOffline: false },
      { step: 'uploading', share: 1, isOffline: false },
      { step: 'saving' },
      undefined,
    ])
  })

  it('are not uploaded again where only the answer to the row was missed', async () => {
    const uploaded = vi.fn(async () => undefined)
    const keys: string[] = []
    const tray = newTray({
      upload: uploaded,
      add: async ({ key }) => {
        keys.push(key)
        if (keys.length === 1) throw new TypeError('Failed to fetch')
      },
    })
    await tray.choose([photo('a.jpg')])
    await tray.send(ids(tray), 'ana', () => undefined)
    expect(steps(tray)).toEqual(['failed'])
    await tray.send(ids(tray), 'ana', () => undefined)
    expect(uploaded).toHaveBeenCalledTimes(1)
    expect(keys[0]).toBe(keys[1])
    expect(tray.items()).toEqual([])
  })

  it('are uploaded again where the row was refused, since their bytes are gone', async () => {
    const uploaded = vi.fn(async () => undefined)
    let tries = 0
    const tray = newTray({
      upload: uploaded,
      add: async () => {
        if (++tries === 1) throw new AppError('plan_limit_photos', 'no', { status: 403 })
      },
    })
    await tray.choose([photo('a.jpg')])
    await tray.send(ids(tray), 'ana', () => undefined)
    await tray.send(ids(tray), 'ana', () => undefined)
    expect(uploaded).toHaveBeenCalledTimes(2)
  })

  it('can be removed during the upload', async () => {
    let signal: AbortSignal | undefined
    const tray = newTray({
      upload: (sent) =>
        new Promise((_, reject) => {
          signal = sent.signal
          sent.signal.addEventListener('abort', () => reject(new AppError('cancelled', '')))
        }),
    })
    await tray.choose([photo('a.jpg')])
    const sending = tray.send(ids(tray), 'ana', () => undefined)
    tray.remove(ids(tray)[0] ?? '')
    await sending
    expect(signal?.aborted).toBe(true)
    expect(tray.items()).toEqual([])
  })
})

it('RULE-19: what is wrong with a file is said beside it, and it is not sent', async () => {
  const tray = newTray()
  await tray.choose([new File(['text'], 'a.png', { type: 'image/png' }), photo('b.jpg')])
  expect(steps(tray)).toEqual(['invalid', 'ready'])
  expect(sendable(tray.items(), null).map(({ file }) => file.name)).toEqual(['b.jpg'])
})

it('SUB-08: no more are sent than there is room for', async () => {
  const tray = newTray({ upload: () => new Promise(() => undefined) })
  await tray.choose([photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
  expect(sendable(tray.items(), 0)).toEqual([])
  expect(sendable(tray.items(), 2).map(({ file }) => file.name)).toEqual(['a.jpg', 'b.jpg'])
  void tray.send(ids(tray).slice(0, 1), 'ana', () => undefined)
  expect(sendable(tray.items(), 2).map(({ file }) => file.name)).toEqual(['b.jpg'])
})
