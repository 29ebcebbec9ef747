import { say } from '#words/say.ts'
import { spokenLocale } from '#shared/language.ts'
import type { TypedAddress } from './address.ts'
import { postalCodeIn } from './postal-codes.ts'
import { regionCode, regionsOf } from './regions.ts'

/**
 * States by the first three digits of a ZIP code (USPS Domestic Mail Manual, labeling list L002), plus two post
 * offices served across a state line: Fishers Island, NY 06390 and Alta, WY 83414. Excludes military mail.
 */
const prefixes = `
  NY 005 063 100-149, PR 006-007 009, VI 008, MA 010-027 055, RI 028-029, NH 030-038, ME 039-049, VT 050-054 056-059, CT 060-069,
  NJ 070-089, PA 150-196, DE 197-199, DC 200 202-205 569, VA 201 220-246, MD 206-219, WV 247-268, NC 270-289, SC 290-299,
  GA 300-319 398-399, FL 320-339 341-342 344 346-347 349, AL 350-352 354-369, TN 370-385, MS 386-397, KY 400-427, OH 430-459,
  IN 460-479, MI 480-499, IA 500-528, WI 530-532 534-535 537-549, MN 550-551 553-567, SD 570-577, ND 580-588, MT 590-599,
  IL 600-620 622-629, MO 630-631 633-641 644-658, KS 660-662 664-679, NE 680-681 683-693, LA 700-701 703-708 710-714,
  AR 716-729, OK 730-731 734-741 743-749, TX 733 750-770 772-799 885, CO 800-816, WY 820-831 834, ID 832-838, UT 840-847,
  AZ 850-853 855-857 859-860 863-865, NM 870-871 873-875 877-884, NV 889-891 893-895 897-898, CA 900-908 910-928 930-961,
  HI 967-968, GU 969, OR 970-979, WA 980-986 988-994, AK 995-999`

const statesByPrefix = new Map<string, string[]>()
for (const entry of prefixes.trim().split(/,\s+/)) {
  const [state = '', ...ranges] = entry.split(' ')
  for (const range of ranges) {
    const [first = '', last = first] = range.split('-')
    for (let prefix = Number(first); prefix <= Number(last); prefix += 1) {
      const digits = String(prefix).padStart(3, '0')
      statesByPrefix.set(digits, [...(statesByPrefix.get(digits) ?? []), state])
    }
  }
}

/** A ZIP code that seems to belong to another state; states by name. */
export type ZipDoubt = { stated: string; likely: readonly string[] }

/**
 * Whether a ZIP code and state seem not to match. Only a hint: post offices move, and shoppers know their own address.
 * @returns undefined outside the US, while either is missing or invalid, and for unknown codes
 */
export function zipDoubtOf({ country, state, postal_code: zip }: TypedAddress): ZipDoubt | undefined {
  const code = country === 'US' ? postalCodeIn(country, zip ?? '') : undefined
  const stated = code && regionCode(country, state ?? '')
  const likely = statesByPrefix.get(code?.slice(0, 3) ?? '')
  if (!stated || !likely || likely.includes(stated)) return undefined
  const nameOf = (wanted: string) => regionsOf(country)?.find((region) => region.code === wanted)?.name ?? wanted
  return { stated: nameOf(stated), likely: likely.map(nameOf) }
}

/** `This ZIP code looks like Texas, not New York.` */
export const zipSentence = ({ stated, likely }: ZipDoubt): string =>
  say('This ZIP code looks like {likely}, not {stated}.', {
    likely: new Intl.ListFormat(spokenLocale(), { type: 'disjunction' }).format(likely),
    stated,
  })
