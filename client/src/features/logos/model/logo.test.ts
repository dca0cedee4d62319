import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { messages } from '../messages'
import { checkLogo, isRefused, logoBytes, logoFailure, logoKey } from './logo'

function png(size: number): File {
  const content = new Uint8Array(size)
  content.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return new File([content], 'logo.png')
}

describe('SUB-07: logos', () => {
  it('are pictures of 1 MB at most', async () => {
    expect(await checkLogo(png(logoBytes))).toMatchObject({ type: 'image/png' })
    expect(await checkLogo(png(logoBytes + 1))).toBe(messages.tooLarge)
    expect(await checkLogo(new File(['<svg>'], 'logo.png'))).toBe(messages.wrongType)
  })
  it('are stored in the folder of the business, inside that of the uploader', () => {
    const key = logoKey({ userId: 'ana', businessId: 'shop', type: 'image/jpeg', name: '1' })
    expect(key).toBe('ana/shop/1.jpg')
  })
  it('distinguishes refused ones from those that may be stored', () => {
    const refused = new AppError('plan_logo', 'no', { status: 403 })
    expect(isRefused(refused)).toBe(true)
    expect(logoFailure(refused)).toBe(messages.refusals.plan_logo)
    expect(isRefused(new AppError('network', 'no'))).toBe(false)
  })
})
