/** The kinds of mail notifications, in the order of the settings. */
const noticeKinds = [
  'booking_asked',
  'booking_answered',
  'booking_changed',
  'booking_reminder',
  'message_unread',
  'review_asked',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** The enabled kinds. */
export type NoticeSettings = Record<NoticeKind, boolean>

/** Returns the settings in stored rows: a kind without a row is on. */
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

/** Returns the kinds that concern a user: booking requests are only for owners. */
export function kindsFor(isOwner: boolean): readonly NoticeKind[] {
  return isOwner ? noticeKinds : noticeKinds.filter((kind) => kind !== 'booking_asked')
}

/**
 * Returns the kind that an unsubscribe link turns off; null for an invalid link. The server
 * verifies the rest.
 */
export function kindOfToken(token: string | null): NoticeKind | null {
  const [kind, user, signature] = token?.split('.') ?? []
  if (!user || !signature) return null
  return noticeKinds.find((known) => known === kind) ?? null
}
