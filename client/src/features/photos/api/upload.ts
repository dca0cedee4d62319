import type { Upload, UploadOptions } from 'tus-js-client'
import { env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { requestHeaders } from '@/lib/supabase'

export const photoBucket = 'business-photos'

/** Delays before each retry of a response that may be temporary. */
const retryDelaysMs = [0, 1000, 3000, 5000]
/**
 * Browsers usually report that they are online again; otherwise these are the first and the longest
 * retry delay.
 */
const againMs = { first: 1000, last: 10_000 }
/** A request without progress for this time is aborted, and a new one resumes the upload. */
const stalledMs = 20_000
/** Names are never reused, so browsers may cache a photo for a year. */
const cacheSeconds = 31_536_000

export type UploadPhoto = {
  file: File
  type: string
  /** Object name within the bucket. */
  key: string
  /** Called with the uploaded share, 0 to 1. */
  onProgress: (share: number) => void
  /** Called when the connection was lost or is back. */
  onConnection: (isLost: boolean) => void
  /** Aborts the upload, here and on the server. */
  signal: AbortSignal
}

/**
 * Uploads a photo by the resumable protocol (TUS): the server refuses what may not be stored before
 * its bytes are sent, reports how much has arrived, and keeps it if the connection breaks. Waits
 * for the connection without a limit. Rejects with an AppError: plan_limit_photos, 42501 (not the
 * business's owner), wrong-type, too-large, cancelled, upload_failed.
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
      void upload.abort(true).catch(() => undefined) // the server's remains expire
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
    // Requests without a response wait for the connection (keepGoing); they must not be retried
    // here, too.
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
    // The token is read for each request: the session is refreshed during a long upload.
    onBeforeRequest: async (request) => {
      for (const [name, value] of Object.entries(await requestHeaders())) {
        request.setHeader(name, value)
      }
    },
  }
}

/** Pauses an upload while there is no connection, and resumes it afterwards. */
function keepGoing(upload: Upload, onConnection: (isLost: boolean) => void) {
  // Fires when the next retry is due or, during a request, when it has stalled.
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
    /** Bytes were sent; returns false if they belong to an aborted request. */
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

/** The protocol returns a status and a message, without a code. */
function refusal(status: number, text: string): AppError {
  const code =
    {
      403: /^Your plan allows/.test(text) ? 'plan_limit_photos' : '42501',
      413: 'too-large',
      415: 'wrong-type',
    }[status] ?? 'upload_failed'
  return new AppError(code, text, { status })
}
