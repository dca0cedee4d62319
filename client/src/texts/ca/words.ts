/** Returns 'de' with a name, with an apostrophe before a vowel: "d'Andorra". */
export function of(name: string): string {
  return /^h?[aeiouàèéíòóú]/i.test(name) ? `d'${name}` : `de ${name}`
}
