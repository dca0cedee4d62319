export const word = 'moved'
