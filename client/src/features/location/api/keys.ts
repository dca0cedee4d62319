export const locationKeys = { current: ['location'] as const }
