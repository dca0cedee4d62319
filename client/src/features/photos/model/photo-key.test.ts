import { expect, it } from 'vitest'
import { photoKey } from './photo-key'

it('STORE-02: the key contains user, business, time and a random part', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  expect(photoKey({ userId: 'u', businessId: 'b', type: 'image/jpeg', now, random: 'x1' })).toBe(
    `u/b/${now.getTime()}-x1.jpg`,
  )
})
