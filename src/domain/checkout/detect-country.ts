import type { TypedAddress } from './address.ts'
import { normalizeText } from './normalize-text.ts'
import { couldBecomePostalCode, postalCodeIn } from './postal-codes.ts'
import { hasRegionCodes, regionCode, regionsOf } from './regions.ts'
import { isOneOf } from '#shared/one-of.ts'

/** The parts of an address that identify a country. */
export type AddressHint = 'city' | 'state' | 'postal_code'
export type AddressHints = Pick<TypedAddress, AddressHint>

/** The form's country before detection. */
export type CountryChoice = {
  country: string
  /** Picked by hand, by autofill or on an earlier visit; otherwise it is the form's default. */
  isPicked: boolean
  /** The field's value when the country was picked; it does not contradict the pick. */
  stale: ReadonlySet<AddressHint>
}

/** The order that breaks ties (specification, section 5, Tax and country). */
const detectable = ['AU', 'CA', 'GB', 'DE', 'JP', 'BR', 'NZ', 'US'] as const
type Detectable = (typeof detectable)[number]

const names = (list: string): ReadonlySet<string> => new Set(list.split(', ').map(normalizeText))

/** English names missing from the data package, which has the German ones. */
const statesBesides: Partial<Record<Detectable, ReadonlySet<string>>> = {
  DE: names(
    'Baden-Wuerttemberg, Bavaria, Hesse, Lower Saxony, Mecklenburg-Western Pomerania, North Rhine-Westphalia, ' +
      'Rhineland-Palatinate, Saxony, Saxony-Anhalt, Thueringen, Thuringia',
  ),
}

/** New Zealand cities that identify the country. The others also exist in America. */
const unmistakableCities = names(
  'Auckland, Christchurch, Invercargill, New Plymouth, Palmerston North, Rotorua, Tauranga, Wellington, Whanganui, Whangarei',
)

/** Large cities, to distinguish postal codes that look alike. Written by hand; small places are identified by state. */
const cities: Partial<Record<Detectable, ReadonlySet<string>>> = {
  AU: names(
    'Adelaide, Albury, Ballarat, Bendigo, Brisbane, Bundaberg, Cairns, Canberra, Darwin, Fremantle, Geelong, Gold Coast, ' +
      'Hobart, Launceston, Mackay, Melbourne, Newcastle, Parramatta, Perth, Rockhampton, Sunshine Coast, Sydney, ' +
      'Toowoomba, Townsville, Wagga Wagga, Wollongong',
  ),
  DE: names(
    'Aachen, Augsburg, Berlin, Bielefeld, Bochum, Bonn, Braunschweig, Bremen, Chemnitz, Cologne, Dortmund, Dresden, ' +
      'Duisburg, Düsseldorf, Duesseldorf, Erfurt, Essen, Frankfurt, Frankfurt am Main, Freiburg, Freiburg im Breisgau, ' +
      'Gelsenkirchen, Göttingen, Halle, Hamburg, Hannover, Heidelberg, Karlsruhe, Kassel, Kiel, Köln, Koeln, Krefeld, ' +
      'Leipzig, Lübeck, Luebeck, Magdeburg, Mainz, Mannheim, Mönchengladbach, München, Muenchen, Munich, Münster, ' +
      'Muenster, Nürnberg, Nuernberg, Nuremberg, Oberhausen, Potsdam, Regensburg, Rostock, Saarbrücken, Stuttgart, ' +
      'Ulm, Wiesbaden, Wuppertal, Würzburg',
  ),
  NZ: new Set([
    ...unmistakableCities,
    ...names(
      'Blenheim, Dunedin, Gisborne, Hamilton, Hastings, Lower Hutt, Manukau, Napier, Nelson, Porirua, Queenstown, ' +
        'Timaru, Upper Hutt',
    ),
  ]),
  US: names(
    'Atlanta, Austin, Baltimore, Boston, Brooklyn, Charlotte, Chicago, Cleveland, Columbus, Dallas, Denver, Detroit, ' +
      'El Paso, Fort Worth, Honolulu, Houston, Indianapolis, Jacksonville, Kansas City, Las Vegas, Los Angeles, Memphis, ' +
      'Miami, Milwaukee, Minneapolis, Nashville, New Orleans, New York, New York City, Oklahoma City, Orlando, ' +
      'Philadelphia, Phoenix, Pittsburgh, Portland, Queens, Sacramento, San Antonio, San Diego, San Francisco, San Jose, ' +
      'Seattle, Tampa, Tucson, Washington',
  ),
}

/** Where a state name is enough without a postal code. */
const byStateAlone: ReadonlySet<Detectable> = new Set(['AU', 'CA', 'US'])

/** Codes that only one of the countries has; no state or city overrides them. */
const unmistakableCodes: ReadonlySet<Detectable> = new Set(['CA', 'GB', 'JP', 'BR'])

/**
 * Detects an address's country. A country picked by hand stays unless something typed later contradicts it. Otherwise
 * the postal code decides; if it is ambiguous, the state, then the city, then the form's country, then the
 * specification's order. The result depends on the fields, not on typing order.
 * @param offered by this checkout; no other country is ever returned
 * @param unfinished the part being typed: it is ignored while it could still become valid for the form's country
 */
export function detectCountry(
  hints: AddressHints,
  choice: CountryChoice,
  offered: readonly string[],
  unfinished?: AddressHint,
): string {
  const { country, isPicked, stale } = choice
  const text = (hint: AddressHint) => {
    const typed = (hints[hint] ?? '').slice(0, 100).trim()
    return hint === unfinished && couldBecome(country, hint, typed) ? '' : typed
  }
  const fresh = (hint: AddressHint) => (stale.has(hint) ? '' : text(hint))
  if (isPicked && isPlausible(country, fresh('state'), fresh('postal_code'))) return country

  const found = countriesOf(country, text('city'), text('state'), text('postal_code')).filter((one) =>
    offered.includes(one),
  )
  return isOneOf(found, country) ? country : (found[0] ?? country)
}

/** Whether a state and a postal code, if present, can belong to the country. */
function isPlausible(country: string, state: string, postalCode: string): boolean {
  const isCode = !postalCode || postalCodeIn(country, postalCode) !== undefined || country === 'HK'
  return isCode && (!state || !hasRegionCodes(country) || regionCode(country, state) !== undefined)
}

function couldBecome(country: string, hint: AddressHint, typed: string): boolean {
  if (hint === 'postal_code') return couldBecomePostalCode(country, typed)
  const begun = normalizeText(typed)
  return hint === 'state' && (regionsOf(country) ?? []).some(({ name }) => normalizeText(name).startsWith(begun))
}

function countriesOf(country: string, city: string, state: string, postalCode: string): readonly Detectable[] {
  const byState = state ? detectable.filter((one) => isStateOf(one, state)) : []
  const place = normalizeText(city)
  const byCity = detectable.filter((one) => cities[one]?.has(place))
  const byCode = detectable.filter((one) => isCodeOf(one, postalCode, byCity))

  if (byCode.length === 0) {
    const matching = detectable.filter(
      (one) => (byStateAlone.has(one) && byState.includes(one)) || (one === 'NZ' && unmistakableCities.has(place)),
    )
    return intersectCountries(matching, byCity)
  }
  if (byCode.some((one) => unmistakableCodes.has(one))) return byCode
  const agreed = byCode.filter((one) => byState.includes(one))
  if (agreed.length > 0) return intersectCountries(agreed, byCity)
  // The state belongs to another country, so the code is wrong or incomplete.
  const others = byState.filter((one) => byStateAlone.has(one) || one === country)
  return others.length > 0 ? intersectCountries(others, byCity) : intersectCountries(byCode, byCity)
}

const intersectCountries = (countries: readonly Detectable[], wanted: readonly Detectable[]): readonly Detectable[] => {
  const both = countries.filter((country) => wanted.includes(country))
  return both.length > 0 ? both : countries
}

const isStateOf = (country: Detectable, state: string): boolean =>
  regionsOf(country)
    ? regionCode(country, state) !== undefined || (statesBesides[country]?.has(normalizeText(state)) ?? false)
    : false

function isCodeOf(country: Detectable, text: string, byCity: readonly Detectable[]): boolean {
  const code = postalCodeIn(country, text)
  if (code === undefined) return false
  if (country === 'AU') return isAustralian(code)
  // Portugal has as many digits, but its hyphen is elsewhere.
  if (country === 'JP') return !/^\d{4}-\d{3}$/.test(text)
  // Half of New Zealand's codes are below 8000, as are Australia's: there the city decides.
  if (country === 'NZ') return code >= '8000' || byCity.includes('NZ')
  return true
}

/** Australia Post's ranges; other four-digit codes are unassigned. */
const isAustralian = (code: string): boolean => (code >= '0200' && code <= '0299') || code >= '0800'
