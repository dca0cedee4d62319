import { expect, it } from 'vitest'
import { fileNameOf } from '@/lib/claim-documents'
import { AppError } from '@/lib/errors'
import { documentRefusal, objectName, problemOf } from './document'

it('S-48: a document is a PDF or a picture of up to 10 MB', () => {
  const megabytes = 1024 * 1024
  expect(problemOf({ type: 'application/pdf', size: 10 * megabytes })).toBeNull()
  expect(problemOf({ type: 'image/webp', size: 1 })).toBeNull()
  expect(problemOf({ type: 'application/pdf', size: 10 * megabytes + 1 })).toBe('too-large')
  expect(problemOf({ type: 'text/html', size: 1 })).toBe('wrong-type')
})

it('the name of a file is kept as far as an object may have it', () => {
  expect(objectName('Llicència d’obertura.pdf', 'r1')).toBe('r1_Llicencia-d-obertura.pdf')
  expect(fileNameOf(objectName('a_b.pdf', 'r1'))).toBe('a_b.pdf')
  expect(objectName(`${'x'.repeat(200)}.pdf`, 'r1')).toHaveLength(83)
})

it('a refusal in words', () => {
  expect(documentRefusal(new AppError('too-large', 'raw', { status: 413 }))).toMatch(/10 MB/)
  expect(documentRefusal(new AppError('constructor', 'raw', { status: 500 }))).toBeNull()
})
