/** Markup whose values are escaped. Only `html` and `trusted` make it. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

function markupOf(value: Value): string {
  if (value instanceof Html) return value.toString()
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return Array.isArray(value) ? value.map((one: Value) => markupOf(one)).join('') : ''
}

/** Whatever is put in is text, in content and in quoted attributes alike; null and false are nothing. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.reduce((markup, part, index) => markup + markupOf(values[index - 1]) + part))

/** Markup of our own that is to stay as it is, such as a style sheet. Never for what a person typed. */
export const trustedHtml = (markup: string): Html => new Html(markup)
