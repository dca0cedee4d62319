import { numbersOf } from '../numbers'
import type { Translations } from '../translations'
import stored from './names.json'
import { of } from './words'

const names: Record<string, string> = stored

const { counted, kilometres, number } = numbersOf('ca-ES')

const pages = (page: number, all: number) => `(pàgina ${page} de ${all})`

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
    topRated: (city) => `Els més ben valorats ${of(city)}`,
    topRatedPending: "S'estan carregant els negocis més ben valorats",
    topRatedError: "No s'han pogut carregar els negocis",
    topRatedEmpty: (city) => `Encara no hi ha negocis a ${city}`,
    topRatedEmptyText: 'Sigues el primer: afegir un negoci és gratis i es triga cinc minuts.',
    addBusiness: 'Afegeix el teu negoci',
    noHours: 'Horari no disponible',
    openAllDay: 'Obert 24 hores',
    openUntil: (time) => `Obert fins a les ${time}`,
    opensAt: (time) => `Obre a les ${time}`,
    opensOn: (day, time) => `Obre ${day} a les ${time}`,
    closed: 'Tancat',
    from: 'des de',
    free: 'Gratis',
    promoted: 'Promocionat',
    offers: 'Ofereix',
    phone: 'Telèfon',
    noneFree: 'Sense hores lliures aviat',
    nextFree: (day, time) => `Propera: ${day}, ${time}`,
  },
  city: {
    home: 'Inici',
    pending: "S'està carregant la ciutat",
    error: "No s'ha pogut carregar aquesta ciutat",
    categoriesError: "No s'han pogut carregar les seves categories",
    recentError: "No s'han pogut carregar els negocis més nous",
    missing: 'Ciutat no trobada',
    missingText: 'Plaza encara no coneix aquest lloc. Aquestes són les ciutats on és.',
    businessesIn: (city) => `Negocis a ${city}`,
    categoryIn: (category, city) => `${category} a ${city}`,
    count: (count) => counted(count, 'negoci', 'negocis'),
    categories: 'Categories',
    filters: 'Filtres ràpids',
    openNow: 'Obert ara',
    freeToday: 'Amb hora avui',
    wellRated: 'Valorats amb 4,5 o més',
    cheapest: 'Més barats',
    best: (city) => `Els més ben valorats ${of(city)}`,
    recent: 'Afegits fa poc',
    seeAll: (city) => `Tots els negocis a ${city}`,
    noBusinesses: 'Encara no hi ha negocis',
    noBusinessesText: (city) => `Sigues el primer a ${city}: afegir un negoci és gratis.`,
    addBusiness: 'Afegeix el teu negoci',
    about: (city) => `Sobre ${city}`,
    aboutText: (city, country) =>
      `${city} és un dels llocs (${country}) on és Plaza. Mira per categories, compara valoracions i reserva quan et vagi bé.`,
    localName: 'Nom local',
    country: 'País',
    localTime: 'Hora local',
    listed: 'A Plaza',
    otherCategories: (city) => `Altres categories a ${city}`,
    nearby: 'A prop',
    away: (km) => `a ${kilometres(km)} km`,
    popular: (city) => `Populars a ${city}`,
    search: 'Cerca aquí',
    showing: (shown, total, page, all) =>
      `${number(shown)} de ${counted(total, 'resultat', 'resultats')} ${pages(page, all)}`,
    list: 'Negocis',
    listError: "No s'han pogut carregar els negocis",
    listPending: "S'estan carregant els negocis",
    noneInCategory: (category, city) => `Encara no hi ha ${category} a ${city}`,
    noneInCategoryText: 'Mira les altres categories o la ciutat més propera.',
  },
  search: {
    queryInLocation: (query, location) => `${query} a ${location}`,
    queryOnly: (query) => `Resultats per a «${query}»`,
    locationOnly: (location) => `Negocis a ${location}`,
    neither: 'Resultats',
    resultsFor: (query, category) =>
      category === '' ? `Resultats per a «${query}»` : `Resultats per a «${query}» a ${category}`,
    categoryBusinesses: (category) => `Negocis de ${category}`,
    allBusinesses: 'Tots els negocis',
    list: 'Negocis',
    showing: (shown, total, page, all) =>
      `${shown} de ${total > 5000 ? `més de ${number(5000)} resultats` : counted(total, 'resultat', 'resultats')} ${pages(page, all)}`,
    loading: "S'estan carregant els negocis",

    formLabel: 'Cerca negocis',
    what: 'Què',
    whatPlaceholder: 'Tall de cabell, restaurant, veterinari…',
    whatWords: {
      suggestions: 'Suggeriments',
      service: 'Servei',
      recent: 'Cerques recents, Supr en treu una',
      clearRecent: 'Esborra les cerques recents',
    },
    where: 'On',
    wherePlaceholder: 'Ciutat o barri',
    whereSuggestions: 'Llocs',
    placeWords: {
      lang: 'ca',
      businesses: (count) => counted(count, 'negoci', 'negocis'),
    },
    submit: 'Cerca',

    home: 'Inici',
    everywhere: 'Tots els llocs',
    category: 'Categoria',
    allCategories: 'Totes les categories',
    allOf: (name) => `${name}: tot`,

    filters: 'Filtres',
    filtersSet: (count) => counted(count, 'actiu', 'actius'),
    quickFilters: 'Filtres ràpids',
    openNow: 'Obert ara',
    sort: 'Ordena per',
    sorts: {
      '': 'Rellevància',
      distance: 'Més propers',
      price: 'Més barats',
      rating: 'Més ben valorats',
      newest: 'Més nous',
    },

    errorTitle: "No s'han pogut carregar els negocis",
    errorText: 'Prova de tornar a carregar la pàgina',
    errorToast: 'Error',
    errorToastText: "No s'han pogut carregar els negocis. Torna-ho a provar.",

    related: (name) => `Semblant a ${name}`,

    advancedTitle: 'Cerca avançada',
    advancedLink: 'Cerca avançada',
  },
  searchAlerts: {
    title: "Avisa'm quan n'hi hagi un",
    text: "T'escrivim una vegada, quan hi hagi el primer.",
    on: "T'avisem quan n'hi hagi un",
    tell: "Avisa'm",
    signIn: "Inicia la sessió i avisa'm",
    stop: "No m'avisis",
    failed: "No s'ha desat",
    failedText: 'Torna-ho a provar.',
    tooMany: 'Ja esperes 20 cerques. Treu-ne alguna abans.',
  },
  searchEmpty: {
    noBusinesses: 'Encara no hi ha negocis',
    noBusinessesText: 'Sigues el primer: afegir un negoci és gratis i es triga cinc minuts.',
    addYourBusiness: 'Afegeix el teu negoci',
    noResults: 'No hi ha resultats',
    noResultsText: 'Res no compleix tot això alhora. Pots continuar així:',
    clearFilters: 'Treu filtres',
    clearFiltersText: 'Què pots treure, i quants n’hi ha llavors.',
    clearAll: 'Treu-los tots',
    without: (target, { amenities, bounds, findDesc }) => {
      const texts: Record<string, string> = {
        category: 'Totes les categories',
        rating: 'Qualsevol valoració',
        amenities: `Sense ${amenities.map((one) => names[one] ?? one).join(', ')}`,
        open_now: 'També tancats',
        free_on: 'Qualsevol dia',
        price: 'Qualsevol preu',
        distance: bounds === '' ? 'Qualsevol distància' : 'Tot el mapa',
        text: `Sense «${findDesc}»`,
        place: 'Tots els llocs',
      }
      return texts[target] ?? target
    },
    businesses: (count) =>
      count > 5000 ? `més de ${number(5000)}` : counted(count, 'negoci', 'negocis'),
    away: (km) => `a ${kilometres(km)} km`,
    otherLocation: 'Prova un altre lloc',
    addBusiness: 'Afegeix un negoci',
    addBusinessText: 'Coneixes el que falta? Posa’l a Plaza.',
    suggestions: 'Suggeriments',
    suggestionsText: 'Categories semblants al que has escrit, o que es demanen sovint.',
  },
  searchFilters: {
    when: 'Quan',
    onDay: 'Amb hores lliures el',
    anyDay: 'Qualsevol dia',
    price: (min, max) => {
      if (min !== '' && max !== '') return `${min}–${max}`
      if (min !== '') return `Des de ${min}`
      return max === '' ? '' : `Fins a ${max}`
    },
    priceTitle: 'Preu del servei més barat',
    priceMin: 'Des de',
    priceMax: 'Fins a',
    distanceTitle: 'Distància',
    anyDistance: 'Qualsevol distància',
    distance: (within, fromHere) => {
      if (within > 0) return `A menys de ${within} km${fromHere ? ' teu' : ''}`
      return fromHere ? 'A prop teu' : ''
    },
    within: (km) => `A menys de ${km} km`,
    fromPlace: (place) => `Des del centre ${of(place)}`,
    fromHere: 'Des d’on ets',
    fromNowhere: 'Es compta des d’un lloc o des d’on ets.',
    useHere: 'Fes servir la meva posició',
    dropHere: 'No facis servir la meva posició',
    noPosition: 'No se sap on ets',
    noPositionText: 'El navegador no ho ha dit. Escriu el lloc al camp de dalt.',
    area: 'Aquesta zona del mapa',
    day: (day) => `Lliure ${day}`,
    rating: 'Valoració',
    anyRating: 'Qualsevol valoració',
    ratingAtLeast: (rating) => `${rating} o més`,
    amenities: 'Serveis i comoditats',
    clearAll: 'Treu-los tots',
    show: 'Mostra els resultats',
    showCount: (count, most) => {
      if (count > most) return `Mostra més de ${number(most)} negocis`
      return count === 0 ? 'Cap negoci' : `Mostra ${counted(count, 'negoci', 'negocis')}`
    },
    advancedText: 'Tots els filtres alhora. Omple el que t’importa i deixa la resta.',
  },
  searchMap: {
    toMap: 'Mapa',
    toList: 'Llista',
    map: 'Mapa dels resultats',
    area: 'Cerca en aquesta zona',
    together: (count, names) => `${counted(count, 'negoci', 'negocis')} molt junts: ${names}`,
    free: 'Gratis',
    unrated: 'Nou',
    pin: (name, text) => `${name}, ${text}`,
    none: 'Cap d’aquests negocis no ha dit on és al mapa.',
    missing: (count) => `${counted(count, 'negoci', 'negocis')} sense lloc al mapa`,
    close: 'Tanca',
  },
  searchMeaning: {
    resultsInstead: 'Resultats per a',
    unknownWords: (words) => `Cap negoci no té ${words.map((word) => `«${word}»`).join(' ni ')}.`,
  },
}
