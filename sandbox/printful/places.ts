import { findTaxedPlace } from '../stripe/rates.ts'

export type Country = {
  code: string
  name: string
  states: { code: string; name: string }[] | null
  region: 'north_america' | 'europe' | 'asia' | 'oceania' | 'latin_america' | 'africa'
}

/** Where Printful ships, by price region. Countries under sanctions or without mail are left out. */
const codesByRegion: Record<Country['region'], string> = {
  north_america: 'US CA',
  europe:
    'AD AL AT BA BE BG CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM UA VA XK',
  asia: 'AE AM AZ BD BH BN BT CN GE HK ID IL IN JO JP KG KH KR KW KZ LA LB LK MN MO MV MY NP OM PH PK QA SA SG TH TJ TM TR TW UZ VN',
  oceania: 'AU CK FJ NC NZ PF PG SB TO VU WS',
  latin_america:
    'AG AI AR AW BB BM BO BR BS BZ CL CO CR CW DM DO EC FK GD GF GP GT GY HN HT JM KN KY LC MQ MX NI PA PE PR PY SR SV TC TT UY VC VG VI',
  africa:
    'BF BJ BW CI CM CV DJ DZ EG ET GA GH GM GN KE KM LS MA MG ML MR MU MW MZ NA NE NG RE RW SC SN SZ TG TN TZ UG ZA ZM',
}

/** Only these countries have states that Printful requires. Code and name, as it spells them. */
const statesByCountry: Record<string, string> = {
  US: 'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming,AA Armed Forces Americas,AE Armed Forces Europe,AP Armed Forces Pacific,GU Guam,PR Puerto Rico,VI Virgin Islands',
  CA: 'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon',
  AU: 'ACT Australian Capital Territory,NSW New South Wales,NT Northern Territory,QLD Queensland,SA South Australia,TAS Tasmania,VIC Victoria,WA Western Australia',
}

const statesOf = (code: string): Country['states'] =>
  statesByCountry[code]?.split(',').map((entry) => {
    const gap = entry.indexOf(' ')
    return { code: entry.slice(0, gap), name: entry.slice(gap + 1) }
  }) ?? null

const names = new Intl.DisplayNames('en', { type: 'region' })

export const countries: readonly Country[] = Object.entries(codesByRegion)
  .flatMap(([region, codes]) =>
    codes.split(' ').map((code) => ({
      code,
      name: names.of(code) ?? code,
      states: statesOf(code),
      region: region as Country['region'],
    })),
  )
  .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))

export const findCountry = (code: string): Country | undefined => countries.find((country) => country.code === code)

/** Countries without postal codes, among those that the shop sells to. */
const withoutZip = new Set(['HK', 'AE', 'QA', 'AG', 'AW', 'BS', 'BZ', 'FJ', 'GH', 'JM', 'PA'])
export const needsZip = (country: string): boolean => !withoutZip.has(country)

export type TaxablePlace = {
  country_code: string
  state_code?: string | undefined
  zip?: string | undefined
  address1?: string | undefined
}

/** The tax that Printful adds by place: sales tax in the United States and Canada, VAT or GST elsewhere. Shares of 1. */
export function taxOf({ country_code, state_code, zip, address1 }: TaxablePlace): { tax: number; vat: number } {
  const place = findTaxedPlace({ country: country_code, state: state_code, postal_code: zip, line1: address1 })
  const rate = place.kind === 'taxed' ? place.parts.reduce((sum, part) => sum + part.rate, 0) : 0
  return country_code === 'US' || country_code === 'CA' ? { tax: rate, vat: 0 } : { tax: 0, vat: rate }
}
