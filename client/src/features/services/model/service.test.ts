import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import {
  emptyService,
  fieldRefusal,
  fromForm,
  isComplete,
  isFull,
  type ServiceForm,
  serviceSchema,
  serviceText,
  toForm,
} from './service'

const good: ServiceForm = { name: 'Cut', description: '', price: '20', duration: '45' }

function problems(change: Partial<ServiceForm>) {
  const checked = serviceSchema.safeParse({ ...good, ...change })
  return checked.success ? [] : checked.error.issues.map(({ message }) => message)
}

describe('RULE-16 RULE-17 RULE-18: a service', () => {
  it.each<[Partial<ServiceForm>, string[]]>([
    [{}, []],
    [{ name: ' C ' }, ['Service name is required']],
    [{ price: 'cheap' }, ['Price must be a number']],
    [{ price: '' }, ['Price must be a number']],
    [{ price: '-0.01' }, ['Price must be between 0 and 10000']],
    [{ price: '10000.01' }, ['Price must be between 0 and 10000']],
    [{ price: '0' }, []],
    [{ price: '12,50' }, []],
    [{ price: '1.234' }, ['Price can have two decimals']],
    [{ duration: 'long' }, ['Duration must be a number']],
    [{ duration: '1.5' }, ['Duration must be a number']],
    [{ duration: '0' }, ['Duration must be between 1 and 480 minutes']],
    [{ duration: '481' }, ['Duration must be between 1 and 480 minutes']],
    [{ description: 'x'.repeat(501) }, ['Description cannot exceed 500 characters']],
  ])('%j', (change, found) => {
    expect(problems(change)).toEqual(found)
  })
})

it('OWNER-20: is complete with name, price and duration', () => {
  expect(isComplete(good)).toBe(true)
  expect(isComplete({ ...good, price: ' ' })).toBe(false)
  expect(isComplete(emptyService)).toBe(false)
})

it('is read back as it was typed', () => {
  const values = fromForm({ ...good, name: ' Cut ', price: '12,50' })
  expect(values).toEqual({ name: 'Cut', description: null, price: 12.5, duration: 45 })
  expect(toForm(values)).toEqual({ ...good, price: '12.5' })
  expect(serviceText(values)).toBe('Cut, $12.50, 45 min')
})

it('returns the field that the database refused', () => {
  const error = new AppError('23514', 'violates check constraint "services_price_check"')
  expect(fieldRefusal(error)?.field).toBe('price')
  expect(fieldRefusal(new AppError('42501', ''))).toBeNull()
  expect(isFull(new AppError('too_many_services', ''))).toBe(true)
})
