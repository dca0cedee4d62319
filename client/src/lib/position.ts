/** Timeout of the browser's geolocation, including its permission prompt, in milliseconds. */
const timeoutMs = 30_000
const oldest = 60_000

/**
 * Returns the device's position, to about a hundred metres, as 'latitude,longitude'; null if it is
 * not allowed or not available. The browser asks for permission, so call it only in response to a
 * press.
 */
export function requestPosition(): Promise<string | null> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator)) return resolve(null)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve([coords.latitude, coords.longitude].map((one) => Number(one.toFixed(3))).join()),
      () => resolve(null),
      { timeout: timeoutMs, maximumAge: oldest },
    )
  })
}
