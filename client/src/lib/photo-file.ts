/** The allowed photo types, with their file extensions (RULE-19). */
export const photoEndings = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
} as const

export type PhotoType = keyof typeof photoEndings

/** For `accept` of a file input. */
export const acceptedTypes = Object.keys(photoEndings).join(',')

/** A photo must be smaller than this: 5 MB (RULE-19, C-50, CONST-03). */
export const photoBytes = 5 * 1024 * 1024

export type FileProblem = 'wrong-type' | 'too-large'

/** Returns the type according to the file's first bytes, regardless of its name. */
function typeOf(head: Uint8Array): PhotoType | null {
  const text = String.fromCharCode(...head.subarray(0, 12))
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  return text.startsWith('RIFF') && text.endsWith('WEBP') ? 'image/webp' : null
}

/**
 * Checks a file before it is uploaded, so that nobody waits for an upload that will be refused. The
 * bucket and the database enforce the rules. The file must be smaller than `tooLargeFrom` bytes.
 */
export async function checkFile(
  file: File,
  tooLargeFrom: number = photoBytes,
): Promise<{ type: PhotoType; problem: null } | { type: null; problem: FileProblem }> {
  const type = typeOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  if (type === null) return { type, problem: 'wrong-type' }
  return file.size < tooLargeFrom ? { type, problem: null } : { type: null, problem: 'too-large' }
}
