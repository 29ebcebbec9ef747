import { formatList } from '#site/text-format.ts'
import { sayMade } from '#words/say-made.ts'
import { sayKnown } from '#words/say.ts'

/** A notice of a quote, whose own text is English, in the spoken language. */
export const sayNotice = (notice: string): string =>
  sayMade(notice, (value, name) => {
    if (name !== 'countries') return undefined
    const names = value.split(/, | or | and /).map(sayKnown)
    return formatList(names, value.includes(' and ') ? 'and' : 'or')
  })
