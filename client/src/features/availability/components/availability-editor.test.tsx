import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '@/lib/query-client'
import { availabilityQuery } from '../api/queries'
import { defaultSchedule } from '../model/schedule'
import { AvailabilityEditor } from './availability-editor'

afterEach(() => {
  vi.unstubAllGlobals()
})

function Editor() {
  const { data } = useQuery(availabilityQuery('k1'))
  return (
    data && (
      <AvailabilityEditor
        businessId="k1"
        stored={data}
        zone="Europe/Madrid"
        hours={null}
        onSaved={() => undefined}
      />
    )
  )
}

const sunday = () => screen.getByRole('checkbox', { name: 'Sunday' })

/** Changes the availability, and begins to save it. */
async function save() {
  const answers: ((response: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>((answer) => answers.push(answer)))
  const queryClient = createQueryClient()
  queryClient.setQueryData(availabilityQuery('k1').queryKey, {
    schedule: defaultSchedule,
    blackoutDates: [],
    rules: { notice: 0, ahead: 365, buffer: 0, capacity: 1 },
    revision: 1,
  })
  const router = createMemoryRouter([
    { path: '/', element: <Editor /> },
    { path: '/other', element: <p>Other</p> },
  ])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.click(sunday())
  await user.click(screen.getByRole('button', { name: 'Save Availability' }))
  await waitFor(() => expect(answers).toHaveLength(1))
  return { user, router, answer: (response: Response) => answers[0]?.(response) }
}

const question = () => screen.queryByText('Leave without saving?')

it('METRICS-32: asks before the page is left while it is saved; a failure keeps the changes', async () => {
  const { user, router, answer } = await save()
  void router.navigate('/other')
  await waitFor(() => expect(question()).not.toBeNull())
  await user.click(screen.getByRole('button', { name: 'Stay' }))
  answer(Response.json({ code: 'XX000', message: '' }, { status: 500 }))
  await screen.findByText('The availability was not saved')
  expect(sunday()).toHaveProperty('checked', true)
})

it('METRICS-32: does not ask any more once it is saved', async () => {
  const { router, answer } = await save()
  void router.navigate('/other')
  await waitFor(() => expect(question()).not.toBeNull())
  answer(Response.json(2))
  await waitFor(() => expect(question()).toBeNull())
  await router.navigate('/other')
  expect(await screen.findByText('Other')).toBeTruthy()
})
