import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import { messageKeys } from '../api/keys'
import { MessageLog } from './message-log'

const rowHeight = 50
const boxHeight = 400

/** The stored messages, newest first, as the data API returns them. */
let stored: object[] = []
let isOffline = false

function store(n: number, sender: string): void {
  const at = new Date(Date.UTC(2026, 10, 25, 8, n)).toISOString()
  const row = { sender_id: sender, content: `Line ${n}.`, attachments: [], read: true }
  stored.unshift({ id: String(n), created_at: at, ...row })
}

async function answer(input: RequestInfo | URL): Promise<Response> {
  if (isOffline) return new Response('{"message":"no"}', { status: 400 })
  const { searchParams } = new URL(String(input))
  const from = Number(searchParams.get('offset'))
  return Response.json(stored.slice(from, from + Number(searchParams.get('limit'))))
}

beforeEach(() => {
  stored = []
  isOffline = false
  for (let n = 1; n <= 70; n++) store(n, 'ben')
  vi.stubGlobal('fetch', answer)
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(boxHeight)
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function height(
    this: HTMLElement,
  ) {
    return this.querySelectorAll('time').length * rowHeight
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function openLog() {
  const { queryClient } = renderApp(<MessageLog userId="ana" conversationId="c" name="Ben" />)
  await screen.findByText('Line 70.')
  const box = screen.getByRole('log')
  const scrollTo = (top: number) => {
    box.scrollTop = top
    fireEvent.scroll(box)
  }
  const receive = async (n: number, sender: string) => {
    store(n, sender)
    await act(() => queryClient.invalidateQueries({ queryKey: messageKeys.all }))
    await screen.findByText(`Line ${n}.`)
  }
  const showEarlier = () =>
    userEvent.click(screen.getByRole('button', { name: 'Show earlier messages' }))
  return { box, scrollTo, receive, showEarlier }
}

/** How far the end is below what is visible. */
const below = (box: HTMLElement) => box.scrollHeight - box.scrollTop - boxHeight

describe('the messages of a conversation', () => {
  it('open at the end', async () => {
    const { box } = await openLog()
    expect(below(box)).toBeLessThanOrEqual(0)
  })

  it('stay where they are when earlier ones are added above', async () => {
    const { box, scrollTo, showEarlier } = await openLog()
    scrollTo(20)
    await showEarlier()
    await screen.findByText('Line 11.')
    expect(box.scrollTop).toBe(20 + 30 * rowHeight)
    scrollTo(0)
    await showEarlier()
    await screen.findByText('Line 1.')
    expect(box.scrollTop).toBe(10 * rowHeight)
  })

  it('do not move for a new one while earlier ones are read', async () => {
    const { box, scrollTo, receive } = await openLog()
    scrollTo(300)
    await receive(71, 'ben')
    expect(box.scrollTop).toBe(300)
  })

  it('follow a new one at the end, and almost there', async () => {
    const { box, scrollTo, receive } = await openLog()
    await receive(71, 'ben')
    expect(below(box)).toBeLessThanOrEqual(0)
    scrollTo(box.scrollHeight - boxHeight - 40)
    await receive(72, 'ben')
    expect(below(box)).toBeLessThanOrEqual(0)
  })

  it("follow one's own from anywhere", async () => {
    const { box, scrollTo, receive } = await openLog()
    scrollTo(300)
    await receive(71, 'ana')
    expect(below(box)).toBeLessThanOrEqual(0)
  })

  it('say that earlier ones could not be loaded, and try again', async () => {
    const { showEarlier } = await openLog()
    isOffline = true
    await showEarlier()
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Could not load more messages. Please try again.',
    )
    expect(screen.getByText('Line 70.')).toBeTruthy()
    isOffline = false
    await showEarlier()
    await screen.findByText('Line 11.')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
