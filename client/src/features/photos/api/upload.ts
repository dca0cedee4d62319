import type { Upload, UploadOptions } from 'tus-js-client'
import { env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { requestHeaders } from '@/lib/supabase'

export const photoBucket = 'business-photos'

/** After how long each further try follows an answer that may be another the next time. */
const retryDelaysMs = [0, 1000, 3000, 5000]
/** A browser that is back online says so; where it does not, this is when the next try is: first, and at last. */
const againMs = { first: 1000, last: 10_000 }
/** A request that sends nothing for so long is given up, and a new one goes on where it stood. */
const stalledMs = 20_000
/** Names are never used again, so that a photo may be kept by browsers for a year. */
const cacheSeconds = 31_536_000

export type UploadPhoto = {
  file: File
  type: string
  /** Name within the bucket. */
  key: string
  /** How much has arrived, 0 to 1. */
  onProgress: (share: number) => void
  /** The connection is lost, or back. */
  onConnection: (isLost: boolean) => void
  /** Ends the upload, here and on the server. */
  signal: AbortSignal
}

/**
 * Sends a photo by the resumable protocol (TUS): the server refuses what may not be
 * stored before its bytes are sent, tells how much has arrived, and keeps that when
 * the connection breaks. Waits for the connection as long as it takes.
 *
 * Rejects with an AppError: plan_limit_photos, 42501 (not the business's owner),
 * wrong-type, too-large, cancelled, upload_failed.
 */
export async function uploadPhoto(photo: UploadPhoto): Promise<void> {
  const { file, onProgress, onConnection, signal } = photo
  const { Upload, DetailedError } = await import('tus-js-client')
  await new Promise<void>((resolve, reject) => {
    const upload: Upload = new Upload(file, {
      ...requestOptions(photo),
      onProgress: (sent, total) => {
        if (connection.sent()) onProgress(total === 0 ? 1 : sent / total)
      },
      onSuccess: () => end(resolve),
      onError: (error) => {
        const answer = error instanceof DetailedError ? error.originalResponse : null
        if (answer) end(() => reject(refusal(answer.getStatus(), answer.getBody())))
        else connection.wait()
      },
    })
    const connection = keepGoing(upload, onConnection)
    const stop = () => {
      void upload.abort(true).catch(() => undefined) // what is left on the server expires
      end(() => reject(new AppError('cancelled', 'cancelled')))
    }
    const end = (settle: () => void) => {
      connection.end()
      signal.removeEventListener('abort', stop)
      settle()
    }
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    else connection.start()
  })
}

function requestOptions({ type, key }: UploadPhoto): UploadOptions {
  return {
    endpoint: `${env.supabaseUrl}/storage/v1/upload/resumable`,
    retryDelays: retryDelaysMs,
    // What had no answer waits for the connection (keepGoing), and is not tried in two places.
    onShouldRetry: (error) => {
      const status = 'originalResponse' in error ? (error.originalResponse?.getStatus() ?? 0) : 0
      return status >= 500 || status === 409 || status === 423
    },
    storeFingerprintForResuming: false,
    metadata: {
      bucketName: photoBucket,
      objectName: key,
      contentType: type,
      cacheControl: String(cacheSeconds),
    },
    // Each request asks anew: a session is renewed while a long upload goes on.
    onBeforeRequest: async (request) => {
      for (const [name, value] of Object.entries(await requestHeaders())) {
        request.setHeader(name, value)
      }
    },
  }
}

/** Has an upload wait while there is no connection, and go on where it stood. */
function keepGoing(upload: Upload, onConnection: (isLost: boolean) => void) {
  // Runs out when the next try is due or, while one goes on, when that has stalled.
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWaiting = false
  let tries = 0
  const start = () => {
    isWaiting = false
    watch()
    upload.start()
  }
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(pause, stalledMs)
  }
  const wait = () => {
    isWaiting = true
    onConnection(true)
    clearTimeout(timer)
    timer = setTimeout(start, Math.min(againMs.first * 2 ** tries, againMs.last))
    tries += 1
  }
  const pause = () => {
    void upload.abort()
    wait()
  }
  const handleOnline = () => {
    if (isWaiting) start()
  }
  window.addEventListener('online', handleOnline)
  window.addEventListener('offline', pause)
  return {
    start,
    wait,
    /** Bytes went out; tells whether that counts, or is of a request that was given up. */
    sent: () => {
      if (isWaiting) return false
      onConnection(false)
      tries = 0
      watch()
      return true
    },
    end: () => {
      clearTimeout(timer)
      window.removeEventListener('online', handleOnline)
      window.removeEventListener('offline', pause)
    },
  }
}

/** The protocol answers with a status and a sentence, without a code. */
function refusal(status: number, text: string): AppError {
  const code =
    {
      403: /^Your plan allows/.test(text) ? 'plan_limit_photos' : '42501',
      413: 'too-large',
      415: 'wrong-type',
    }[status] ?? 'upload_failed'
  return new AppError(code, text, { status })
}
