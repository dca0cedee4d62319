/** What the marketplace sends mails about, in the order of the settings. */
const noticeKinds = [
  'booking_asked',
  'booking_answered',
  'booking_changed',
  'booking_reminder',
  'message_unread',
  'review_asked',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Which kinds are on. */
export type NoticeSettings = Record<NoticeKind, boolean>

/** The settings of stored rows: a kind without one is on. */
export function readSettings(rows: readonly { kind: string; by_mail: boolean }[]): NoticeSettings {
  const off = new Set(rows.filter((row) => !row.by_mail).map((row) => row.kind))
  return {
    booking_asked: !off.has('booking_asked'),
    booking_answered: !off.has('booking_answered'),
    booking_changed: !off.has('booking_changed'),
    booking_reminder: !off.has('booking_reminder'),
    message_unread: !off.has('message_unread'),
    review_asked: !off.has('review_asked'),
  }
}

/** The kinds that concern somebody: requests come to those who have a business. */
export function kindsFor(isOwner: boolean): readonly NoticeKind[] {
  return isOwner ? noticeKinds : noticeKinds.filter((kind) => kind !== 'booking_asked')
}

/** The kind that a link of a mail ends; null for a link that no mail has. The server checks the rest. */
export function kindOfToken(token: string | null): NoticeKind | null {
  const [kind, user, signature] = token?.split('.') ?? []
  if (!user || !signature) return null
  return noticeKinds.find((known) => known === kind) ?? null
}
