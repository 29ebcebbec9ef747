/** The first that fits: most browsers also call themselves by the names further down. */
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

/** What a browser calls itself, as its user would: `Firefox on Linux`. Versions and the rest are nobody's business. */
export function deviceOf(userAgent: string): string {
  const browser = firstIn(browsers, userAgent) ?? 'A browser'
  const system = firstIn(systems, userAgent)
  return system ? `${browser} on ${system}` : browser
}
