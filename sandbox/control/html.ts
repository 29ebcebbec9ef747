/** Text that is already HTML. Only `html` creates it, so nothing reaches a page unescaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | undefined | false | readonly Value[]

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Puts values into HTML, escaped unless they are HTML themselves. Lists are joined; undefined and false are empty. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${renderValue(values[index - 1])}${part}`))
}

function renderValue(value: Value): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(renderValue).join('')
  return String(value).replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
}
