import { numbersOf } from '../numbers'
import type { Translations } from '../translations'

const { counted, number } = numbersOf('es-ES')

export const plans: Translations['plans'] = {
  period: 'Periodo de pago',
  monthly: 'Mensual',
  yearly: 'Anual',
  perMonth: 'al mes',
  perYear: 'al año',
  free: 'Gratis',
  purposes: {
    'One listing with everything a customer needs to book.':
      'Una ficha con todo lo que un cliente necesita para reservar.',
    'For a busy business: analytics, your logo and more photos.':
      'Para un negocio con movimiento: analíticas, tu logo y más fotos.',
    'For several locations: promoted listings and fast support.':
      'Para varios locales: fichas promocionadas y atención rápida.',
  },
  saves: (amount) => `${amount} menos que pagando cada mes`,
  current: 'Tu plan',
  upgrade: (plan) => `Elegir ${plan}`,
  manage: 'Gestionar pagos',
  includedInAll: 'Todo lo que tus clientes necesitan para reservar',
  signIn: 'Entrar y elegir',
  becomeSeller: 'Añadir un negocio',
  businesses: (count) => counted(count, 'negocio', 'negocios'),
  photos: (count) => `${counted(count, 'foto', 'fotos')} por negocio`,
  description: (count) => `Descripciones de hasta ${number(count)} caracteres`,
  features: {
    analytics: 'Analíticas',
    logo: 'Tu propio logo',
    promoted: 'Fichas promocionadas',
    support: 'Atención prioritaria',
  },
  paidUntil: (plan, day) => `Tienes ${plan}, pagado hasta el ${day}.`,
  active: (plan) => `Tienes ${plan}.`,
  none: 'Tienes el plan gratis.',
  confirming: 'Confirmando tu pago',
  confirmingText: 'Tarda unos segundos. Puedes quedarte o seguir con otra cosa.',
  done: (plan) => `Te damos la bienvenida a ${plan}`,
  doneText: 'Tu plan está activo. Ya puedes usar lo que incluye.',
  late: 'Aún no sabemos nada de tu pago',
  lateText: 'Aparecerá aquí en cuanto nos lo diga el proveedor de pagos. No se te cobra dos veces.',
  cancelled: 'Pago cancelado',
  cancelledText: 'No se ha pagado nada. Tu plan sigue igual.',
  plansFailed: 'No se han podido cargar los planes',
  checkFailed: 'No se ha podido comprobar la suscripción',
  upgradeFailed: 'No se ha podido iniciar el cambio de plan',
  portalFailed: 'No se ha podido abrir la gestión de pagos',
  noPlans: 'Ahora mismo no hay planes',
}
