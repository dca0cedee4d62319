import type { Translations } from '../translations'

export const unsubscribe: Translations['unsubscribe'] = {
  title: 'Dejar de recibir',
  text: (label) => `No recibirás más correos del tipo «${label}».`,
  button: 'Dejar de recibir',
  done: 'Ya no los recibirás',
  doneText: (label) =>
    `No te enviaremos más correos del tipo «${label}». La campana sigue mostrándolo todo.`,
  error: 'Aún sigues recibiéndolos',
  badLink: 'Este enlace no está completo',
  badLinkText: 'Vuelve a abrir el enlace del correo, o elige en tus ajustes.',
  settings: 'Todos los ajustes de correo',
  labels: {
    booking_asked: 'Solicitudes de reserva',
    booking_answered: 'Respuestas a reservas',
    booking_changed: 'Cambios de hora',
    booking_reminder: 'Recordatorios',
    message_unread: 'Mensajes sin leer',
    review_asked: 'Invitaciones a opinar',
  },
}
