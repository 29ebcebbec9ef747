import { addressData } from './address-data.ts'
import { normalizeText } from './normalize-text.ts'

type Region = { code: string; name: string }

/** A country's states to choose from; undefined if there is no list and the field is free text. */
export function regionsOf(country: string): readonly Region[] | undefined {
  const shape = addressData[country]
  if (shape?.regions) return Object.entries(shape.regions).map(([code, name]) => ({ code, name }))
  return shape?.regionNames?.map((name) => ({ code: name, name }))
}

/**
 * Whether a state missing from the list is wrong. True where addresses use postal abbreviations; elsewhere the list is
 * only a typing aid: people write 東京都, `Tokyo` and `CDMX`.
 */
export const hasRegionCodes = (country: string): boolean => addressData[country]?.regions !== undefined

/**
 * `california`, `CA` and ` ca ` become `CA` in the US; `tōkyō` becomes `Tokyo` in Japan.
 * @returns the text itself if there is no list; undefined if it is not on the list
 */
export function regionCode(country: string, text: string): string | undefined {
  const regions = regionsOf(country)
  if (!regions) return text.trim()
  const wanted = normalizeText(text)
  return wanted
    ? regions.find(({ code, name }) => normalizeText(code) === wanted || normalizeText(name) === wanted)?.code
    : undefined
}
