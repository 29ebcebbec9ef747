/** Markup that is safe to send. Only `html` and `trustedHtml` create it. */
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
  return Array.isArray(value) ? value.map((part: Value) => markupOf(part)).join('') : ''
}

/** Escapes every value, in content and in quoted attributes; null, undefined and false render nothing. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.reduce((markup, part, index) => markup + markupOf(values[index - 1]) + part))

/** For markup from the code, such as a style sheet. Never for what a person typed. */
export const trustedHtml = (markup: string): Html => new Html(markup)
