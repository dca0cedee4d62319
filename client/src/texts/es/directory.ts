import { numbersOf } from '../numbers'
import type { Translations } from '../translations'
import stored from './names.json'

const names: Record<string, string> = stored

const { counted, kilometres, number } = numbersOf('es-ES')

const pages = (page: number, all: number) => `(página ${page} de ${all})`

export const directory: Pick<
  Translations,
  | 'businesses'
  | 'city'
  | 'search'
  | 'searchAlerts'
  | 'searchEmpty'
  | 'searchFilters'
  | 'searchMap'
  | 'searchMeaning'
> = {
  businesses: {
    topRated: (city) => `Los mejor valorados de ${city}`,
    topRatedPending: 'Cargando los negocios mejor valorados',
    topRatedError: 'No se han podido cargar los negocios',
    topRatedEmpty: (city) => `Aún no hay negocios en ${city}`,
    topRatedEmptyText: 'Sé el primero: añadir un negocio es gratis y se tarda cinco minutos.',
    addBusiness: 'Añade tu negocio',
    noHours: 'Horario no disponible',
    openAllDay: 'Abierto 24 horas',
    openUntil: (time) => `Abierto hasta las ${time}`,
    opensAt: (time) => `Abre a las ${time}`,
    opensOn: (day, time) => `Abre el ${day} a las ${time}`,
    closed: 'Cerrado',
    from: 'desde',
    free: 'Gratis',
    promoted: 'Promocionado',
    offers: 'Ofrece',
    phone: 'Teléfono',
    noneFree: 'Sin horas libres pronto',
    nextFree: (day, time) => `Próxima: ${day}, ${time}`,
  },
  city: {
    home: 'Inicio',
    pending: 'Cargando la ciudad',
    error: 'No se ha podido cargar esta ciudad',
    categoriesError: 'No se han podido cargar sus categorías',
    recentError: 'No se han podido cargar los negocios más nuevos',
    missing: 'Ciudad no encontrada',
    missingText: 'Plaza aún no conoce este lugar. Estas son las ciudades en las que está.',
    businessesIn: (city) => `Negocios en ${city}`,
    categoryIn: (category, city) => `${category} en ${city}`,
    count: (count) => counted(count, 'negocio', 'negocios'),
    categories: 'Categorías',
    filters: 'Filtros rápidos',
    openNow: 'Abierto ahora',
    freeToday: 'Con hora hoy',
    wellRated: 'Valorados con 4,5 o más',
    cheapest: 'Más baratos',
    best: (city) => `Los mejor valorados de ${city}`,
    recent: 'Añadidos hace poco',
    seeAll: (city) => `Todos los negocios en ${city}`,
    noBusinesses: 'Aún no hay negocios',
    noBusinessesText: (city) => `Sé el primero en ${city}: añadir un negocio es gratis.`,
    addBusiness: 'Añade tu negocio',
    about: (city) => `Sobre ${city}`,
    aboutText: (city, country) =>
      `${city} es uno de los lugares de ${country} en los que está Plaza. Mira por categorías, compara valoraciones y reserva cuando te vaya bien.`,
    localName: 'Nombre local',
    country: 'País',
    localTime: 'Hora local',
    listed: 'En Plaza',
    otherCategories: (city) => `Otras categorías en ${city}`,
    nearby: 'Cerca',
    away: (km) => `a ${kilometres(km)} km`,
    popular: (city) => `Populares en ${city}`,
    search: 'Buscar aquí',
    showing: (shown, total, page, all) =>
      `${number(shown)} de ${counted(total, 'resultado', 'resultados')} ${pages(page, all)}`,
    list: 'Negocios',
    listError: 'No se han podido cargar los negocios',
    listPending: 'Cargando negocios',
    noneInCategory: (category, city) => `Aún no hay ${category} en ${city}`,
    noneInCategoryText: 'Mira las otras categorías o la ciudad más cercana.',
  },
  search: {
    queryInLocation: (query, location) => `${query} en ${location}`,
    queryOnly: (query) => `Resultados para «${query}»`,
    locationOnly: (location) => `Negocios en ${location}`,
    neither: 'Resultados',
    resultsFor: (query, category) =>
      category === '' ? `Resultados para «${query}»` : `Resultados para «${query}» en ${category}`,
    categoryBusinesses: (category) => `Negocios de ${category}`,
    allBusinesses: 'Todos los negocios',
    list: 'Negocios',
    showing: (shown, total, page, all) =>
      `${shown} de ${total > 5000 ? 'más de 5000 resultados' : counted(total, 'resultado', 'resultados')} ${pages(page, all)}`,
    loading: 'Cargando negocios',

    formLabel: 'Buscar negocios',
    what: 'Qué',
    whatPlaceholder: 'Corte de pelo, restaurante, veterinario…',
    whatWords: {
      suggestions: 'Sugerencias',
      service: 'Servicio',
      recent: 'Búsquedas recientes, Supr quita una',
      clearRecent: 'Borrar búsquedas recientes',
    },
    where: 'Dónde',
    wherePlaceholder: 'Ciudad o barrio',
    whereSuggestions: 'Lugares',
    placeWords: {
      lang: 'es',
      businesses: (count) => counted(count, 'negocio', 'negocios'),
    },
    submit: 'Buscar',

    home: 'Inicio',
    everywhere: 'Todos los lugares',
    category: 'Categoría',
    allCategories: 'Todas las categorías',
    allOf: (name) => `${name}: todo`,

    filters: 'Filtros',
    filtersSet: (count) => counted(count, 'activo', 'activos'),
    quickFilters: 'Filtros rápidos',
    openNow: 'Abierto ahora',
    sort: 'Ordenar por',
    sorts: {
      '': 'Relevancia',
      distance: 'Más cercanos',
      price: 'Más baratos',
      rating: 'Mejor valorados',
      newest: 'Más nuevos',
    },

    errorTitle: 'No se han podido cargar los negocios',
    errorText: 'Prueba a volver a cargar la página',
    errorToast: 'Error',
    errorToastText: 'No se han podido cargar los negocios. Vuelve a intentarlo.',

    related: (name) => `Parecido a ${name}`,

    advancedTitle: 'Búsqueda avanzada',
    advancedLink: 'Búsqueda avanzada',
  },
  searchAlerts: {
    title: 'Avísame cuando haya uno',
    text: 'Te escribimos una vez, cuando haya el primero.',
    on: 'Te avisamos cuando haya uno',
    tell: 'Avísame',
    signIn: 'Inicia sesión y avísame',
    stop: 'No me avises',
    failed: 'No se ha guardado',
    failedText: 'Vuelve a intentarlo.',
    tooMany: 'Ya esperas 20 búsquedas. Quita antes alguna.',
  },
  searchEmpty: {
    noBusinesses: 'Aún no hay negocios',
    noBusinessesText: 'Sé el primero: añadir un negocio es gratis y se tarda cinco minutos.',
    addYourBusiness: 'Añade tu negocio',
    noResults: 'No hay resultados',
    noResultsText: 'Nada cumple todo esto a la vez. Puedes seguir así:',
    clearFilters: 'Quitar filtros',
    clearFiltersText: 'Qué puedes quitar, y cuántos hay entonces.',
    clearAll: 'Quitar todos',
    without: (target, { amenities, bounds, findDesc }) => {
      const texts: Record<string, string> = {
        category: 'Todas las categorías',
        rating: 'Cualquier valoración',
        amenities: `Sin ${amenities.map((one) => names[one] ?? one).join(', ')}`,
        open_now: 'También cerrados',
        free_on: 'Cualquier día',
        price: 'Cualquier precio',
        distance: bounds === '' ? 'Cualquier distancia' : 'Todo el mapa',
        text: `Sin «${findDesc}»`,
        place: 'Todos los lugares',
      }
      return texts[target] ?? target
    },
    businesses: (count) => (count > 5000 ? 'más de 5000' : counted(count, 'negocio', 'negocios')),
    away: (km) => `a ${kilometres(km)} km`,
    otherLocation: 'Prueba otro lugar',
    addBusiness: 'Añade un negocio',
    addBusinessText: '¿Conoces el que falta? Ponlo en Plaza.',
    suggestions: 'Sugerencias',
    suggestionsText: 'Categorías parecidas a lo que has escrito, o que se piden a menudo.',
  },
  searchFilters: {
    when: 'Cuándo',
    onDay: 'Con horas libres el',
    anyDay: 'Cualquier día',
    price: (min, max) => {
      if (min !== '' && max !== '') return `${min}–${max}`
      if (min !== '') return `Desde ${min}`
      return max === '' ? '' : `Hasta ${max}`
    },
    priceTitle: 'Precio del servicio más barato',
    priceMin: 'Desde',
    priceMax: 'Hasta',
    distanceTitle: 'Distancia',
    anyDistance: 'Cualquier distancia',
    distance: (within, fromHere) => {
      if (within > 0) return `A menos de ${within} km${fromHere ? ' de ti' : ''}`
      return fromHere ? 'Cerca de ti' : ''
    },
    within: (km) => `A menos de ${km} km`,
    fromPlace: (place) => `Desde el centro de ${place}`,
    fromHere: 'Desde donde estás',
    fromNowhere: 'Se cuenta desde un lugar o desde donde estás.',
    useHere: 'Usar mi posición',
    dropHere: 'No usar mi posición',
    noPosition: 'No se sabe dónde estás',
    noPositionText: 'El navegador no lo ha dicho. Escribe el lugar en el campo de arriba.',
    area: 'Esta zona del mapa',
    day: (day) => `Libre el ${day}`,
    rating: 'Valoración',
    anyRating: 'Cualquier valoración',
    ratingAtLeast: (rating) => `${rating} o más`,
    amenities: 'Servicios y comodidades',
    clearAll: 'Quitar todos',
    show: 'Ver resultados',
    showCount: (count, most) => {
      if (count > most) return `Ver más de ${number(most)} negocios`
      return count === 0 ? 'Ningún negocio' : `Ver ${counted(count, 'negocio', 'negocios')}`
    },
    advancedText: 'Todos los filtros a la vez. Rellena lo que te importa y deja el resto.',
  },
  searchMap: {
    toMap: 'Mapa',
    toList: 'Lista',
    map: 'Mapa de los resultados',
    area: 'Buscar en esta zona',
    together: (count, names) => `${counted(count, 'negocio', 'negocios')} muy juntos: ${names}`,
    free: 'Gratis',
    unrated: 'Nuevo',
    pin: (name, text) => `${name}, ${text}`,
    none: 'Ninguno de estos negocios ha dicho dónde está en el mapa.',
    missing: (count) => `${counted(count, 'negocio', 'negocios')} sin lugar en el mapa`,
    close: 'Cerrar',
  },
  searchMeaning: {
    resultsInstead: 'Resultados para',
    unknownWords: (words) =>
      `Ningún negocio tiene ${words.map((word) => `«${word}»`).join(' ni ')}.`,
  },
}
