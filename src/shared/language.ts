/** The languages of shop, checkout, order pages and emails. English is the specification's; `src/words` has the others. */
export const languages = ['en', 'de', 'fr', 'es', 'ja'] as const
export type Language = (typeof languages)[number]
/** As their speakers write them. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
}
/** What English is translated into. */
export type OtherLanguage = Exclude<Language, 'en'>

export const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text)

/** For `Intl`. */
const locales: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de', fr: 'fr', es: 'es', ja: 'ja' }

let spoken: Language = 'en'

/** The language in which texts, amounts and dates are written now. */
export const spokenLanguage = (): Language => spoken
export const spokenLocale = (): string => locales[spoken]

/** For a browser, whose page has one language. */
export function speak(language: Language): void {
  spoken = language
}

/** @param write makes a text at once: what waits in between would be written in the language of somebody else */
export function inLanguage<Written>(
  language: Language,
  write: () => Written extends Promise<unknown> ? never : Written,
): Written {
  const before = spoken
  spoken = language
  try {
    return write()
  } finally {
    spoken = before
  }
}

/** `/de/cart?a=1` is the German `/cart?a=1`. */
export function splitLanguage(address: string): { language: Language | undefined; path: string } {
  const [, word = '', rest = ''] = /^\/(\w\w)(?=[/?#]|$)(.*)$/s.exec(address) ?? []
  if (!isLanguage(word) || word === 'en') return { language: undefined, path: address }
  return { language: word, path: rest.startsWith('/') ? rest : `/${rest}` }
}

/** The address of a page in a language; English has no prefix. @param path of the shop, or an address of another site, which stays as it is */
export const addressIn = (language: Language, path: string): string =>
  language === 'en' || !path.startsWith('/') ? path : `/${language}${path === '/' ? '' : path}`

/** The same page in the spoken language, for links and forms. */
export const spokenAddress = (path: string): string => addressIn(spoken, path)

const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** A format of dates in the spoken language. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${spoken} ${JSON.stringify(options)}`
  const known = dateFormats.get(key) ?? new Intl.DateTimeFormat(spokenLocale(), options)
  dateFormats.set(key, known)
  return known
}

const numberFormats = new Map<string, Intl.NumberFormat>()

/** A format of numbers in the spoken language. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${spoken} ${JSON.stringify(options)}`
  const known = numberFormats.get(key) ?? new Intl.NumberFormat(spokenLocale(), options)
  numberFormats.set(key, known)
  return known
}

/** `1,234`. */
export const formatNumber = (number: number): string => numberFormat().format(number)

/** `5.0`, so that ratings beside each other are alike. */
export const formatRating = (rating: number): string => numberFormat({ minimumFractionDigits: 1 }).format(rating)

/** `A, B, and C`; or `A, B, or C`. */
export const formatList = (items: readonly string[], type: Intl.ListFormatType = 'conjunction'): string =>
  new Intl.ListFormat(spokenLocale(), { type }).format(items)
