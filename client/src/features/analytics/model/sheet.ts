import { column, type Sheet } from '@/lib/sheet'
import { percentOf, type RevenuePeriod, type ServiceFigures } from './figures'

/** The available exports (METRICS-09). */
export const exportKinds = ['bookings', 'revenue', 'services'] as const
export type ExportKind = (typeof exportKinds)[number]

export type BookingRow = {
  id: string
  booking_date: string
  start_time: string
  end_time: string
  service_name: string
  service_price: number
  status: string
  notes: string | null
}

/** The bookings, with the columns of METRICS-11. */
export function bookingsSheet(rows: readonly BookingRow[]): Sheet {
  return {
    columns: [
      column('date', 'date', 12),
      column('startTime', 'text', 10),
      column('endTime', 'text', 10),
      column('service', 'text', 30),
      column('price', 'money', 10),
      column('status', 'text', 12),
      column('notes', 'text', 50),
    ],
    rows: rows.map((row) => [
      row.booking_date,
      row.start_time.slice(0, 5),
      row.end_time.slice(0, 5),
      row.service_name,
      row.service_price,
      row.status,
      row.notes,
    ]),
  }
}

/** The revenue of each day. */
export function revenueSheet(days: readonly RevenuePeriod[]): Sheet {
  return {
    columns: [
      column('date', 'date', 12),
      column('completedBookings', 'integer', 18),
      column('revenue', 'money', 12),
    ],
    rows: days.map((day) => [day.starts, day.completed, day.revenue]),
  }
}

export function servicesSheet(services: readonly ServiceFigures[]): Sheet {
  return {
    columns: [
      column('service', 'text', 30),
      column('bookings', 'integer', 10),
      column('completed', 'integer', 10),
      column('completionRate', 'percent', 15),
      column('revenue', 'money', 12),
    ],
    rows: services.map(({ name, bookings, completed, revenue }) => [
      name,
      bookings,
      completed,
      Number(percentOf(completed, bookings).toFixed(1)),
      revenue,
    ]),
  }
}
