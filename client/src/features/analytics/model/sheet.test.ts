import { describe, expect, it } from 'vitest'
import { fileName, sheetToCsv } from '@/lib/sheet'
import { bookingsSheet, revenueSheet, servicesSheet } from './sheet'

const booking = {
  id: '1',
  booking_date: '2026-11-20',
  start_time: '09:00:00',
  end_time: '10:30:00',
  service_name: 'Cut, wash',
  service_price: 20.5,
  status: 'completed',
  notes: '=1+1',
}

describe('METRICS-09 METRICS-10 METRICS-11: exports', () => {
  it('names files by what they hold and the day', () => {
    expect(fileName('bookings', '2026-11-23', 'csv')).toBe('bookings-export-2026-11-23.csv')
    expect(fileName('services', '2026-11-23', 'xlsx')).toBe('services-export-2026-11-23.xlsx')
  })

  it('has the documented columns of bookings', () => {
    expect(sheetToCsv(bookingsSheet([booking]))).toBe(
      `\ufeffdate,startTime,endTime,service,price,status,notes\r\n2026-11-20,09:00,10:30,"Cut, wash",20.5,completed,'=1+1\r\n`,
    )
  })

  it('has the revenue of each day', () => {
    const day = { starts: '2026-11-20', ends: '2026-11-20', completed: 2, revenue: 41 }
    expect(revenueSheet([day]).rows).toEqual([['2026-11-20', 2, 41]])
  })

  it('has each service with its completion rate', () => {
    const service = {
      key: 'a',
      name: 'Cut',
      bookings: 3,
      pending: 0,
      confirmed: 1,
      completed: 2,
      cancelled: 0,
      revenue: 41,
    }
    expect(servicesSheet([service]).rows).toEqual([['Cut', 3, 2, 66.7, 41]])
  })
})
