export const directoryKeys = {
  categories: ['directory', 'categories'] as const,
  largest: ['directory', 'largest'] as const,
}
