import type { Translations } from '../translations'

export const unsubscribe: Translations['unsubscribe'] = {
  title: 'Deixa de rebre',
  text: (label) => `No rebràs més correus del tipus «${label}».`,
  button: 'Deixa de rebre',
  done: 'Ja no els rebràs',
  doneText: (label) =>
    `No t’enviarem més correus del tipus «${label}». La campana ho continua mostrant tot.`,
  error: 'Encara els reps',
  badLink: 'Aquest enllaç no és complet',
  badLinkText: 'Torna a obrir l’enllaç del correu, o tria a la configuració.',
  settings: 'Tota la configuració del correu',
  labels: {
    booking_asked: 'Sol·licituds de reserva',
    booking_answered: 'Respostes a reserves',
    booking_changed: 'Canvis d’hora',
    booking_reminder: 'Recordatoris',
    message_unread: 'Missatges sense llegir',
    review_asked: 'Invitacions a opinar',
  },
}
