// Apart from lib/formats, since translations must not import what waits for them.

/** Formats numbers and counted words of a language. */
export function numbersOf(locale: string) {
  const format = new Intl.NumberFormat(locale)
  const number = (n: number) => format.format(n)
  return {
    number,
    /** '1 negocio', '1.234 negocios'. */
    counted: (n: number, one: string, many: string) => `${number(n)} ${n === 1 ? one : many}`,
    /** A distance in kilometres with the precision that it deserves: '1,5', '12'. */
    kilometres: (km: number) =>
      km < 9.95 ? km.toFixed(1).replace('.', ',') : number(Math.round(km)),
  }
}
