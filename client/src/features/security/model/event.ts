import type { BadgeTone } from '@/components/ui/badge'
import { messages } from '../messages'
import { type Device, deviceOf } from './device'
import { ipText } from './session'

/** The types of security events (SEC-18); the database's constraint has the same four. */
export const eventTypes = [
  'successful_login',
  'failed_login',
  'account_locked',
  'password_changed',
] as const
export type EventType = (typeof eventTypes)[number]

export type SecurityEvent = {
  id: string
  /** Null for a type unknown to this client. */
  type: EventType | null
  /** Null if the server created the event without a request from a device. */
  device: Device | null
  ip: string | null
  at: string
}

export type EventRow = {
  id: string
  event_type: string
  ip_address: unknown
  user_agent: string | null
  created_at: string
}

export function toEvent(row: EventRow): SecurityEvent {
  return {
    id: row.id,
    type: eventTypes.find((type) => type === row.event_type) ?? null,
    device: row.user_agent === null ? null : deviceOf(row.user_agent),
    ip: ipText(row.ip_address),
    at: row.created_at,
  }
}

const tones: Record<EventType, BadgeTone> = {
  successful_login: 'success',
  failed_login: 'warning',
  account_locked: 'danger',
  password_changed: 'primary',
}

export function eventTone(type: EventType | null): BadgeTone {
  return type === null ? 'neutral' : tones[type]
}

export function eventLabel(type: EventType | null): string {
  return type === null ? messages.events.unknown : messages.events[type]
}
