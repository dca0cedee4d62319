import { translated } from '@/lib/translated'

/** Texts of home's search form and category mosaic, in Spanish (HOME-01). */
export const messages = translated('directory', {
  what: 'Qué',
  whatPlaceholder: 'Corte de pelo',
  where: 'Dónde',
  whereSuggestions: 'Lugares',
  submit: 'Buscar',
  formLabel: 'Buscar negocios',
  categoriesTitle: 'Categorías populares',
  categoriesPending: 'Cargando categorías',
  categoriesError: 'No hemos podido cargar las categorías',
  categoriesErrorText: 'Algo ha fallado por nuestra parte. El buscador sigue funcionando.',
  retry: 'Reintentar',
})

/** Names of the top categories on home, by code. Others keep their stored name. */
export const categoryNames: Record<string, string> = translated('homeCategories', {
  active: 'Deporte',
  arts: 'Arte y ocio',
  auto: 'Motor',
  beautysvc: 'Belleza',
  education: 'Educación',
  eventservices: 'Eventos',
  financialservices: 'Finanzas',
  food: 'Alimentación',
  health: 'Salud',
  homeservices: 'Hogar',
  hotelstravel: 'Hoteles',
  localservices: 'Servicios',
  massmedia: 'Medios',
  nightlife: 'Noche',
  pets: 'Mascotas',
  professional: 'Profesionales',
  publicservices: 'Administración',
  realestate: 'Inmobiliaria',
  religiousorgs: 'Culto',
  restaurants: 'Restaurantes',
  shopping: 'Compras',
})
