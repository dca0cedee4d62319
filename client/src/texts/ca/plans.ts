import { numbersOf } from '../numbers'
import type { Translations } from '../translations'

const { counted, number } = numbersOf('ca-ES')

export const plans: Translations['plans'] = {
  period: 'Període de pagament',
  monthly: 'Mensual',
  yearly: 'Anual',
  perMonth: 'al mes',
  perYear: "a l'any",
  free: 'Gratis',
  purposes: {
    'One listing with everything a customer needs to book.':
      'Una fitxa amb tot el que un client necessita per reservar.',
    'For a busy business: analytics, your logo and more photos.':
      'Per a un negoci amb moviment: analítiques, el teu logotip i més fotos.',
    'For several locations: promoted listings and fast support.':
      'Per a diversos locals: fitxes promocionades i atenció ràpida.',
  },
  saves: (amount) => `${amount} menys que pagant cada mes`,
  current: 'El teu pla',
  upgrade: (plan) => `Tria ${plan}`,
  manage: 'Gestiona els pagaments',
  includedInAll: 'Tot el que els teus clients necessiten per reservar',
  signIn: 'Entra i tria',
  becomeSeller: 'Afegeix un negoci',
  businesses: (count) => counted(count, 'negoci', 'negocis'),
  photos: (count) => `${counted(count, 'foto', 'fotos')} per negoci`,
  description: (count) => `Descripcions de fins a ${number(count)} caràcters`,
  features: {
    analytics: 'Analítiques',
    logo: 'El teu propi logotip',
    promoted: 'Fitxes promocionades',
    support: 'Atenció prioritària',
  },
  paidUntil: (plan, day) => `Tens ${plan}, pagat fins al ${day}.`,
  active: (plan) => `Tens ${plan}.`,
  none: 'Tens el pla gratis.',
  confirming: 'Estem confirmant el teu pagament',
  confirmingText: 'Triga uns segons. Et pots quedar o fer una altra cosa.',
  done: (plan) => `Et donem la benvinguda a ${plan}`,
  doneText: 'El teu pla està actiu. Ja pots fer servir el que inclou.',
  late: 'Encara no sabem res del teu pagament',
  lateText:
    'Apareixerà aquí així que ens ho digui el proveïdor de pagaments. No se’t cobra dues vegades.',
  cancelled: 'Pagament cancel·lat',
  cancelledText: "No s'ha pagat res. El teu pla continua igual.",
  plansFailed: "No s'han pogut carregar els plans",
  checkFailed: "No s'ha pogut comprovar la subscripció",
  upgradeFailed: "No s'ha pogut iniciar el canvi de pla",
  portalFailed: "No s'ha pogut obrir la gestió de pagaments",
  noPlans: 'Ara mateix no hi ha plans',
}
