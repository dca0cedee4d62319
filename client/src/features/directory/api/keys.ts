export const directoryKeys = { categories: ['directory', 'categories'] as const }
