import { formatNumber } from '#shared/language.ts'
import { say } from '#words/say.ts'
import type { Measure, SizeTable } from './product-types.ts'

const CM_PER_INCH = 2.54

/** `20` becomes `51`: rounded to whole centimeters. */
export const centimeters = (inches: number): number => Math.round(inches * CM_PER_INCH)

/** `20 in / 51 cm`, `18 to 20 in / 46 to 51 cm`. */
export function formatMeasure(measure: Measure): string {
  if (measure === null) return ''
  const ends = typeof measure === 'number' ? [measure] : measure
  return say('{inches} in / {centimeters} cm', { inches: fromTo(ends), centimeters: fromTo(ends.map(centimeters)) })
}

const fromTo = ([from = 0, to]: readonly number[]): string =>
  to === undefined ? formatNumber(from) : say('{from} to {to}', { from: formatNumber(from), to: formatNumber(to) })

/** Whether a table is of tops laid flat: a chest that is a range is measured around the body. */
export const isOfFlatTops = ({ measures, rows }: Pick<SizeTable, 'measures' | 'rows'>): boolean =>
  measures.includes('Length') &&
  measures.includes('Chest') &&
  rows.every(({ values }) => typeof values[measures.indexOf('Chest')] === 'number')
