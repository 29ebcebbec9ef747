/**
 * Rates of sales tax, VAT and GST as tax authorities publish them, for the countries that the shop delivers to. Each
 * entry names its table. They are copied by hand and become outdated: good enough to rehearse with, not to file a return from.
 * Where a country has regions with other rates, a few of them are listed, to have such addresses to try.
 */

type PublishedRate = {
  /** Percent, as published. */
  rate: number
  taxType: 'vat' | 'gst' | 'jct'
  /** The publisher and document. */
  source: string
  /** Regions with another rate; `null` where the country's tax does not apply. */
  places?: readonly { postcodes: RegExp; rate: number | null; name: string }[]
}

const europeanUnion = 'European Commission, Taxes in Europe Database, standard VAT rates'
const outsideTheUnion = 'Directive 2006/112/EC, Article 6 (territories outside the VAT area)'

/** Percent of the price without tax. */
export const consumptionTaxes: Readonly<Record<string, PublishedRate>> = {
  AT: {
    rate: 20,
    taxType: 'vat',
    source: `${europeanUnion}; § 10 (4) UStG for Jungholz and Mittelberg`,
    places: [{ postcodes: /^(?:6691|699[123])$/, rate: 19, name: 'Jungholz and Mittelberg' }],
  },
  AU: {
    rate: 10,
    taxType: 'gst',
    source: 'Australian Taxation Office, GST; external territories: A New Tax System (GST) Act 1999, section 195-1',
    places: [{ postcodes: /^(?:2899|6798|6799)$/, rate: null, name: 'Norfolk, Christmas and Cocos Islands' }],
  },
  BE: { rate: 21, taxType: 'vat', source: europeanUnion },
  BR: { rate: 17, taxType: 'vat', source: 'Comsefaz, ICMS on imported parcels (Convênio ICMS 81/2023)' },
  CH: {
    rate: 8.1,
    taxType: 'vat',
    source: 'Federal Tax Administration, VAT rates from 1 January 2024; Art. 4 MWSTG for Samnaun',
    places: [{ postcodes: /^(?:7562|7563)$/, rate: null, name: 'Samnaun' }],
  },
  CZ: { rate: 21, taxType: 'vat', source: europeanUnion },
  DE: {
    rate: 19,
    taxType: 'vat',
    source: `${europeanUnion}; ${outsideTheUnion}`,
    places: [{ postcodes: /^(?:27498|78266)$/, rate: null, name: 'Heligoland and Büsingen' }],
  },
  DK: { rate: 25, taxType: 'vat', source: europeanUnion },
  ES: {
    rate: 21,
    taxType: 'vat',
    source: `${europeanUnion}; ${outsideTheUnion}`,
    places: [{ postcodes: /^(?:35|38|51|52)\d{3}$/, rate: null, name: 'Canary Islands, Ceuta and Melilla' }],
  },
  FI: {
    rate: 25.5,
    taxType: 'vat',
    source: `${europeanUnion}; ${outsideTheUnion}`,
    places: [{ postcodes: /^22\d{3}$/, rate: null, name: 'Åland' }],
  },
  FR: { rate: 20, taxType: 'vat', source: europeanUnion },
  GB: {
    rate: 20,
    taxType: 'vat',
    source: 'HM Revenue & Customs, VAT rates; Notice 701/39 for the Channel Islands',
    places: [{ postcodes: /^(?:JE|GY)\d/, rate: null, name: 'Jersey and Guernsey' }],
  },
  GR: {
    rate: 24,
    taxType: 'vat',
    source: `${europeanUnion}; ${outsideTheUnion}`,
    places: [{ postcodes: /^630 ?86$/, rate: null, name: 'Mount Athos' }],
  },
  HU: { rate: 27, taxType: 'vat', source: europeanUnion },
  IE: { rate: 23, taxType: 'vat', source: europeanUnion },
  IT: {
    rate: 22,
    taxType: 'vat',
    source: `${europeanUnion}; ${outsideTheUnion}`,
    places: [{ postcodes: /^(?:23041|22061)$/, rate: null, name: 'Livigno and Campione d’Italia' }],
  },
  JP: {
    rate: 10,
    taxType: 'jct',
    source: 'National Tax Agency, consumption tax from 1 October 2019 (7.8 national, 2.2 local)',
  },
  KR: { rate: 10, taxType: 'vat', source: 'National Tax Service, Value-Added Tax Act, Article 30' },
  MX: { rate: 16, taxType: 'vat', source: 'SAT, Ley del IVA, Artículo 1' },
  NL: { rate: 21, taxType: 'vat', source: europeanUnion },
  NO: {
    rate: 25,
    taxType: 'vat',
    source: 'Skatteetaten, VAT rates; Merverdiavgiftsloven § 1-2 for Svalbard and Jan Mayen',
    places: [{ postcodes: /^(?:917\d|8099)$/, rate: null, name: 'Svalbard and Jan Mayen' }],
  },
  NZ: { rate: 15, taxType: 'gst', source: 'Inland Revenue, GST' },
  PL: { rate: 23, taxType: 'vat', source: europeanUnion },
  PT: {
    rate: 23,
    taxType: 'vat',
    source: `${europeanUnion}; Autoridade Tributária for Madeira and the Azores`,
    places: [
      { postcodes: /^9[0-4]\d\d-?\d{3}$/, rate: 22, name: 'Madeira' },
      { postcodes: /^9[5-9]\d\d-?\d{3}$/, rate: 16, name: 'Azores' },
    ],
  },
  SE: { rate: 25, taxType: 'vat', source: europeanUnion },
  SG: { rate: 9, taxType: 'gst', source: 'Inland Revenue Authority of Singapore, GST from 1 January 2024' },
}

/** Hong Kong has no tax on sales (Inland Revenue Department, A Brief Guide to Taxes). */
export const withoutTax: readonly string[] = ['HK']

/**
 * Where the demo's account does not collect. Stripe Tax does not work in Brazil (docs.stripe.com/tax/supported-countries);
 * Korea and Mexico register foreign sellers for digital services alone. Printful charges its own tax there.
 */
export const UNCOLLECTED_COUNTRIES: Readonly<Record<string, 'not_collecting' | 'not_supported'>> = {
  BR: 'not_supported',
  HK: 'not_collecting',
  KR: 'not_collecting',
  MX: 'not_collecting',
}

type Province = { taxType: 'hst' | 'pst' | 'qst'; rate: number }

/** Canada Revenue Agency, GST/HST rates by province; the provinces' own taxes: Revenu Québec, and finance of BC, MB and SK. */
export const canadianGst = 5
export const canadianProvinces: Readonly<Record<string, Province>> = {
  BC: { taxType: 'pst', rate: 7 },
  MB: { taxType: 'pst', rate: 7 },
  NB: { taxType: 'hst', rate: 15 },
  NL: { taxType: 'hst', rate: 15 },
  NS: { taxType: 'hst', rate: 14 },
  ON: { taxType: 'hst', rate: 13 },
  PE: { taxType: 'hst', rate: 15 },
  QC: { taxType: 'qst', rate: 9.975 },
  SK: { taxType: 'pst', rate: 6 },
}

/**
 * General state rates in percent: Federation of Tax Administrators, State Sales Tax Rates. States that are missing have
 * none. The statewide local shares of California (1.25), Virginia and Utah are listed separately below.
 */
export const americanStateRates: Readonly<Record<string, number>> = {
  ...{ AL: 4, AR: 6.5, AZ: 5.6, CA: 6, CO: 2.9, CT: 6.35, DC: 6, FL: 6, GA: 4, HI: 4, IA: 6, ID: 6, IL: 6.25, IN: 7 },
  ...{ KS: 6.5, KY: 6, LA: 5, MA: 6.25, MD: 6, ME: 5.5, MI: 6, MN: 6.875, MO: 4.225, MS: 7, NC: 4.75, ND: 5, NE: 5.5 },
  ...{
    NJ: 6.625,
    NM: 4.875,
    NV: 4.6,
    NY: 4,
    OH: 5.75,
    OK: 4.5,
    PA: 6,
    PR: 10.5,
    RI: 7,
    SC: 6,
    SD: 4.2,
    TN: 7,
    TX: 6.25,
  },
  ...{ UT: 4.85, VA: 4.3, VT: 6, WA: 6.5, WI: 5, WV: 6, WY: 4 },
}

type LocalRate = { level: 'county' | 'city' | 'district'; name: string; rate: number }

/** What every place of a state adds, in percent: CDTFA; Nevada, Utah and Virginia departments of taxation. */
export const americanEverywhere: Readonly<Record<string, readonly LocalRate[]>> = {
  CA: [{ level: 'county', name: 'County', rate: 1.25 }],
  NV: [{ level: 'county', name: 'County', rate: 2.25 }],
  UT: [{ level: 'county', name: 'County', rate: 1.25 }],
  VA: [{ level: 'county', name: 'Local option', rate: 1 }],
}

/** What large cities add on top, in percent, by ZIP code prefix. */
export const americanPlaces: readonly { state: string; zip: RegExp; source: string; local: readonly LocalRate[] }[] = [
  {
    state: 'NY',
    zip: /^(?:100|101|102|103|104|110|111|112|113|114|116)/,
    source: 'New York State, Publication 718',
    local: [
      { level: 'city', name: 'New York City', rate: 4.5 },
      { level: 'district', name: 'Metropolitan Commuter Transportation District', rate: 0.375 },
    ],
  },
  {
    state: 'CA',
    zip: /^900/,
    source: 'CDTFA, California City and County Sales and Use Tax Rates',
    local: [{ level: 'district', name: 'Los Angeles County districts', rate: 2.5 }],
  },
  {
    state: 'CA',
    zip: /^941/,
    source: 'CDTFA, California City and County Sales and Use Tax Rates',
    local: [{ level: 'district', name: 'San Francisco districts', rate: 1.375 }],
  },
  {
    state: 'CA',
    zip: /^921/,
    source: 'CDTFA, California City and County Sales and Use Tax Rates',
    local: [{ level: 'district', name: 'San Diego County districts', rate: 0.5 }],
  },
  {
    state: 'IL',
    zip: /^(?:606|608)/,
    source: 'Illinois Department of Revenue, Machine Readable Files',
    local: [
      { level: 'county', name: 'Cook County', rate: 1.75 },
      { level: 'city', name: 'Chicago', rate: 1.25 },
      { level: 'district', name: 'Regional Transportation Authority', rate: 1 },
    ],
  },
  {
    state: 'TX',
    zip: /^787/,
    source: 'Texas Comptroller, Local Sales Tax Rates',
    local: [
      { level: 'city', name: 'Austin', rate: 1 },
      { level: 'district', name: 'Capital Metropolitan Transportation Authority', rate: 1 },
    ],
  },
  {
    state: 'TX',
    zip: /^770/,
    source: 'Texas Comptroller, Local Sales Tax Rates',
    local: [
      { level: 'city', name: 'Houston', rate: 1 },
      { level: 'district', name: 'Metropolitan Transit Authority', rate: 1 },
    ],
  },
  {
    state: 'FL',
    zip: /^331/,
    source: 'Florida Department of Revenue, DR-15DSS',
    local: [{ level: 'county', name: 'Miami-Dade County', rate: 1 }],
  },
  {
    state: 'PA',
    zip: /^191/,
    source: 'Pennsylvania Department of Revenue, Sales, Use and Hotel Occupancy Tax',
    local: [{ level: 'city', name: 'Philadelphia', rate: 2 }],
  },
  {
    state: 'WA',
    zip: /^981/,
    source: 'Washington Department of Revenue, Local Sales and Use Tax Rates',
    local: [{ level: 'city', name: 'Seattle', rate: 3.85 }],
  },
  {
    state: 'CO',
    zip: /^802/,
    source: 'Colorado Department of Revenue, DR 1002',
    local: [
      { level: 'city', name: 'Denver', rate: 5.15 },
      { level: 'district', name: 'Regional Transportation and Cultural Facilities Districts', rate: 1.1 },
    ],
  },
  {
    state: 'GA',
    zip: /^303/,
    source: 'Georgia Department of Revenue, General Rate Chart',
    local: [
      { level: 'county', name: 'Fulton County', rate: 3 },
      { level: 'city', name: 'Atlanta', rate: 1.9 },
    ],
  },
  {
    state: 'TN',
    zip: /^372/,
    source: 'Tennessee Department of Revenue, Local Sales Tax Rates',
    local: [{ level: 'county', name: 'Davidson County', rate: 2.75 }],
  },
  {
    state: 'NV',
    zip: /^891/,
    source: 'Nevada Department of Taxation, Components of Sales and Use Tax',
    local: [{ level: 'county', name: 'Clark County', rate: 1.525 }],
  },
]
