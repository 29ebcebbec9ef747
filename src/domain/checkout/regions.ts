import { addressData } from './address-data.ts'
import { normalizeText } from './normalize-text.ts'

type Region = { code: string; name: string }

/** The states that a country's addresses choose from; undefined where the shop knows none, and the field is free text. */
export function regionsOf(country: string): readonly Region[] | undefined {
  const shape = addressData[country]
  if (shape?.regions) return Object.entries(shape.regions).map(([code, name]) => ({ code, name }))
  return shape?.regionNames?.map((name) => ({ code: name, name }))
}

/**
 * Whether a state that is not on the list is wrong. Where addresses carry the post's codes it is; elsewhere the list only
 * helps with the typing: people write 東京都, `Tokyo` and `CDMX`.
 */
export const hasRegionCodes = (country: string): boolean => addressData[country]?.regions !== undefined

/**
 * `california`, `CA` and ` ca ` are `CA` in the US; `tōkyō` is `Tokyo` in Japan.
 * @returns the text itself where the shop has no list; undefined when it is not on the list
 */
export function regionCode(country: string, text: string): string | undefined {
  const regions = regionsOf(country)
  if (!regions) return text.trim()
  const wanted = normalizeText(text)
  return wanted
    ? regions.find(({ code, name }) => normalizeText(code) === wanted || normalizeText(name) === wanted)?.code
    : undefined
}
