import { messages } from '../messages'

export type DeviceKind = 'phone' | 'tablet' | 'computer' | 'unknown'
export type Device = { kind: DeviceKind; label: string }

// The first match counts: browsers also name those they are derived from.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string, DeviceKind])[] = [
  [/\biPad\b/, 'iPad', 'tablet'],
  [/\biPhone\b|\biPod\b/, 'iPhone', 'phone'],
  [/\bAndroid\b(?=.*\bMobile\b)/, 'Android', 'phone'],
  [/\bAndroid\b/, 'Android', 'tablet'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS', 'computer'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bLinux\b/, 'Linux', 'computer'],
]

/** Describes a device from its user agent: 'Firefox on Windows'. */
export function deviceOf(userAgent: string | null): Device {
  const agent = userAgent ?? ''
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(agent))
  const kind = system?.[2] ?? 'unknown'
  if (browser !== undefined && system) return { kind, label: messages.device(browser, system[1]) }
  return { kind, label: browser ?? system?.[1] ?? messages.unknownDevice }
}
