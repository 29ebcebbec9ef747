import { say, sayKnown } from '#words/say.ts'
/** First match wins: most browsers also list the names of others. */
const browsers = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
] as const

const firstIn = (named: readonly (readonly [RegExp, string])[], text: string) =>
  named.find(([pattern]) => pattern.test(text))?.[1]

/** As its user reads it. @param device of `deviceOf` */
export function sayDevice(device: string): string {
  const [browser = '', system] = device.split(' on ')
  return system === undefined ? sayKnown(browser) : say('{browser} on {system}', { browser: sayKnown(browser), system })
}

/** A browser's name for its user: `Firefox on Linux`. Versions and other details are dropped. */
export function deviceOf(userAgent: string): string {
  const browser = firstIn(browsers, userAgent) ?? 'A browser'
  const system = firstIn(systems, userAgent)
  return system ? `${browser} on ${system}` : browser
}
