import { translated } from '@/lib/translated'

/** Texts of the home page, in Spanish (HOME-01). */
export const homeMessages = translated('home', {
  whatWords: {
    suggestions: 'Sugerencias',
    service: 'Servicio',
    recent: 'Búsquedas recientes, Supr quita una',
    clearRecent: 'Borrar búsquedas recientes',
  },
  placeWords: {
    lang: 'es',
    businesses: (count: number) => (count === 1 ? '1 negocio' : `${count} negocios`),
  },
  title: 'Plaza: servicios locales en España y Andorra',
  description:
    'Descubre los mejores servicios cerca de ti y reserva en un minuto con negocios de tu barrio.',
  hero: 'Descubre los mejores servicios cerca de ti',
  heroText:
    'Peluquerías, talleres, clínicas, restaurantes. Reserva en un minuto con negocios de tu barrio.',
  categories: 'Categorías populares',
  cities: 'Ciudades populares',
  ownerTitle: '¿Tienes un negocio?',
  ownerText:
    'Ponlo en la plaza: una ficha con tus servicios, horarios y fotos, y reservas que llegan solas.',
  addBusiness: 'Añadir negocio',
})

/** The cities of HOME-08 in its order, each with its tile image. */
export const homeCities = [
  { name: 'Madrid', tile: 'publicservices' },
  { name: 'Barcelona', tile: 'hotelstravel' },
  { name: 'Valencia', tile: 'food' },
  { name: 'Seville', tile: 'restaurants' },
  { name: 'Bilbao', tile: 'auto' },
  { name: 'Malaga', tile: 'health' },
] as const
