import { numbersOf } from '../numbers'
import type { Translations } from '../translations'

const { counted } = numbersOf('ca-ES')

export const home: Pick<Translations, 'home' | 'homeCategories' | 'directory' | 'near'> = {
  home: {
    whatWords: {
      suggestions: 'Suggeriments',
      service: 'Servei',
      recent: 'Cerques recents, Supr en treu una',
      clearRecent: 'Esborra les cerques recents',
    },
    placeWords: {
      lang: 'ca',
      businesses: (count) => counted(count, 'negoci', 'negocis'),
    },
    title: 'Plaza: serveis locals a Espanya i Andorra',
    description:
      'Descobreix els millors serveis a prop teu i reserva en un minut amb negocis del teu barri.',
    hero: 'Descobreix els millors serveis a prop teu',
    heroText:
      'Perruqueries, tallers, clíniques, restaurants. Reserva en un minut amb negocis del teu barri.',
    categories: 'Categories populars',
    cities: 'Ciutats populars',
    ownerTitle: 'Tens un negoci?',
    ownerText:
      'Posa’l a la plaça: una fitxa amb els teus serveis, horaris i fotos, i reserves que arriben soles.',
    addBusiness: 'Afegeix un negoci',
  },
  homeCategories: {
    active: 'Esport',
    arts: 'Art i oci',
    auto: 'Motor',
    beautysvc: 'Bellesa',
    education: 'Educació',
    eventservices: 'Esdeveniments',
    financialservices: 'Finances',
    food: 'Alimentació',
    health: 'Salut',
    homeservices: 'Llar',
    hotelstravel: 'Hotels',
    localservices: 'Serveis',
    massmedia: 'Mitjans',
    nightlife: 'Nit',
    pets: 'Animals',
    professional: 'Professionals',
    publicservices: 'Administració',
    realestate: 'Immobiliària',
    religiousorgs: 'Culte',
    restaurants: 'Restaurants',
    shopping: 'Compres',
  },
  directory: {
    what: 'Què',
    whatPlaceholder: 'Tall de cabell',
    where: 'On',
    whereSuggestions: 'Llocs',
    submit: 'Cerca',
    formLabel: 'Cerca negocis',
    categoriesTitle: 'Categories populars',
    categoriesPending: "S'estan carregant les categories",
    categoriesError: 'No hem pogut carregar les categories',
    categoriesErrorText: 'Alguna cosa ha fallat per part nostra. El cercador continua funcionant.',
    retry: 'Torna-ho a provar',
  },
  near: {
    change: 'Canvia de ciutat',
    near: 'A prop de',
    notYet: (city, shown) => `Encara no som a ${city}; t'ensenyem ${shown}.`,
  },
}
