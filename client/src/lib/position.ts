/** How long the browser may take, its question to the visitor included, in milliseconds. */
const patience = 30_000
const oldest = 60_000

/**
 * Where the device is, to about a hundred metres, as 'latitude,longitude'; null where that is not
 * allowed or not known. The browser asks the visitor, so call it on a press only.
 */
export function askPosition(): Promise<string | null> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator)) return resolve(null)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve([coords.latitude, coords.longitude].map((one) => Number(one.toFixed(3))).join()),
      () => resolve(null),
      { timeout: patience, maximumAge: oldest },
    )
  })
}
