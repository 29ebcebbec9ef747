import * as z from 'zod/mini'
import type { SiteSettings } from '#site/shop-rules.ts'
import { LOGO_BOX } from '#domain/pictures/logo.ts'
import { isDelivered } from '#domain/checkout/countries.ts'
import { isTaxPlace } from '#domain/tax/registrations.ts'
import { europeanUnion } from '#domain/tax/european-union.ts'
import { indicativeCurrencies } from '#domain/checkout/indicative.ts'
import { dayFromIso } from '#shared/calendar-day.ts'
import { parcelDecisions } from '#domain/claims/parcel-notice.ts'
import { deliveryMailChoices } from '#domain/orders/tracking.ts'
import type { Cents } from '#shared/money.ts'
import { AuditLogEntry } from './admin.ts'
import { Acceptance } from './below-floor.ts'
import { call } from './call.ts'
import { PictureInput } from './collections.ts'
import { branded, emailAddress, providerPathId, shortText, singleLineText } from './wire.ts'

/** A field of the form for one value. */
export type SettingField = { label: string; isNumber?: boolean }

/** How the form asks for a setting's value. */
export type SettingForm =
  | { kind: 'line' }
  | { kind: 'logo' }
  | { kind: 'picture' }
  | { kind: 'number' }
  /** In cents; typed in US dollars. */
  | { kind: 'amount' }
  | { kind: 'fields'; fields: Readonly<Record<string, SettingField>> }
  /** `reads`: also from a file of exchange rates. */
  | { kind: 'rows'; fields: Readonly<Record<string, SettingField>>; max: number; row: string; reads?: 'rates' }
  | { kind: 'order'; options: Readonly<Record<string, string>> }
  | { kind: 'choice'; options: Readonly<Record<string, string>> }

type Setting<Value> = {
  group: SettingGroup
  label: string
  /** Where shoppers see it. */
  hint: string
  form: SettingForm
  schema: z.ZodMiniType<Value, Value>
}

/** In the order of the page. */
export const settingGroups = [
  'Label',
  'Contact',
  'Home page',
  'Promises',
  'Money',
  'Tax',
  'Invoices',
  'Parcels',
  'Reviews',
  'Reports by email',
] as const
type SettingGroup = (typeof settingGroups)[number]

const WHOLE_NUMBER = 'Please enter a whole number'
const days = z.int(WHOLE_NUMBER).check(z.gte(0, 'Please enter a number from 0'), z.lte(365, 'Please enter at most 365'))
const count = (min: number, max: number) =>
  z.int(WHOLE_NUMBER).check(z.gte(min, `Please enter a number from ${min}`), z.lte(max, `Please enter at most ${max}`))
const dayRange = z
  .object({ from: days, to: days })
  .check(z.refine(({ from, to }) => from <= to, { error: 'The first number can’t be above the second', path: ['to'] }))
const TRANSIT_ROWS_MAX = 12
const COUNTRIES_SENTENCE = 'Please enter codes of countries that the shop delivers to, such as ‘DE FR’'
const transitRow = z
  .object({
    countries: z.string(COUNTRIES_SENTENCE).check(
      z.trim(),
      z.toUpperCase(),
      z.maxLength(100, 'Please use at most 100 characters'),
      z.refine((codes) => codes.split(' ').every(isDelivered), COUNTRIES_SENTENCE),
    ),
    from: days,
    to: days,
  })
  .check(z.refine(({ from, to }) => from <= to, { error: 'The first number can’t be above the second', path: ['to'] }))
const CURRENCY_SENTENCE = 'Please enter the currency of a country that the shop delivers to, such as EUR'
const DAY_SENTENCE = 'Please enter a day, such as 2026-11-23'
const currencyRate = z.object({
  currency: z.string(CURRENCY_SENTENCE).check(
    z.trim(),
    z.toUpperCase(),
    z.refine((code) => indicativeCurrencies.includes(code), CURRENCY_SENTENCE),
  ),
  perDollar: z
    .number('Please enter a number, such as 0.86')
    .check(z.gt(0, 'Please enter a number above 0'), z.lte(100_000, 'Please enter at most 100,000')),
  day: z.string(DAY_SENTENCE).check(z.refine((text) => dayFromIso(text) !== undefined, DAY_SENTENCE)),
})
const PLACE_SENTENCE = 'Please enter a country such as DE, a state such as US-NY, or EU for the One Stop Shop'
const registration = z.object({
  place: z.string(PLACE_SENTENCE).check(z.trim(), z.toUpperCase(), z.refine(isTaxPlace, PLACE_SENTENCE)),
  number: singleLineText(40, 'Please enter the number of the registration'),
  since: z.string(DAY_SENTENCE).check(z.refine((text) => dayFromIso(text) !== undefined, DAY_SENTENCE)),
})
const euroRate = z.object({
  day: z.string(DAY_SENTENCE).check(z.refine((text) => dayFromIso(text) !== undefined, DAY_SENTENCE)),
  perEuro: z
    .number('Please enter a number, such as 1.0858')
    .check(z.gte(0.01, 'Please enter a number from 0.01'), z.lte(100, 'Please enter at most 100')),
})
const DISPATCH_SENTENCE = 'Please enter the code of a country of the European Union, such as LV, or nothing'
const optionalText = (max: number) =>
  z.string('Please write something, or nothing').check(
    z.trim(),
    z.maxLength(max, `Please use at most ${max} characters`),
    // It goes into files of one line for each text.
    z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029\uFFFE\uFFFF]*$/u, 'Please use plain text without control characters'),
  )
const SELLER_SENTENCE = 'Please enter name, street, city and country together, or nothing'
const seller = z
  .object({
    name: optionalText(100),
    street: optionalText(200),
    postalCode: optionalText(20),
    city: optionalText(100),
    state: optionalText(60),
    country: z
      .string()
      .check(z.trim(), z.toUpperCase(), z.regex(/^(?:[A-Z]{2})?$/, 'Please enter the code of a country, such as DE')),
  })
  .check(
    z.refine(
      ({ postalCode, state, ...needed }) => {
        const texts = Object.values(needed)
        return texts.every(Boolean) || (!texts.some(Boolean) && !postalCode && !state)
      },
      { error: SELLER_SENTENCE, path: ['name'] },
    ),
  )
const REGISTRATIONS_MAX = 80
const EURO_RATES_MAX = 60
const range: SettingForm = {
  kind: 'fields',
  fields: { from: { label: 'From', isNumber: true }, to: { label: 'To', isNumber: true } },
}
const LINK_SENTENCE = 'Please enter an address that begins with https://'
const link = z
  .string(LINK_SENTENCE)
  .check(
    z.trim(),
    z.maxLength(300, 'Please use at most 300 characters'),
    z.regex(/^https:\/\/[^\s"<>]+$/, LINK_SENTENCE),
  )
const percent = z
  .number('Please enter a number, such as 12.5')
  .check(
    z.gte(0, 'Please enter a number from 0'),
    z.lte(15, 'Please enter at most 15'),
    z.multipleOf(0.5, 'Please use steps of 0.5'),
  )
/** A longer wait would break the promised days of production. */
const MINUTES_A_DAY = 1440

const MONTHLY = 'On the first, for the month before'
const reportMailHint = 'A link to the business address, which opens after signing in.'
const monthlyReport = (label: string) => ({
  group: 'Reports by email' as const,
  label,
  hint: reportMailHint,
  form: { kind: 'choice' as const, options: { never: 'Never', monthly: MONTHLY } },
  schema: z.enum(['never', 'monthly']),
})
const report = (label: string) => ({
  group: 'Reports by email' as const,
  label,
  hint: reportMailHint,
  form: {
    kind: 'choice' as const,
    options: { never: 'Never', weekly: 'On Mondays, for the week before', monthly: MONTHLY },
  },
  schema: z.enum(['never', 'weekly', 'monthly']),
})
const homeSection = z.enum(['hero', 'collections', 'making'])

/** Every setting that the owner can change: its rule, and how the page asks for it. Its default is in `defaultSettings`. */
export const settingList: { readonly [Name in keyof SiteSettings]: Setting<SiteSettings[Name]> } = {
  name: {
    group: 'Label',
    label: 'Label name',
    hint: 'In page titles, the header, the footer, emails and receipts.',
    form: { kind: 'line' },
    schema: singleLineText(40, 'Please enter a name'),
  },
  logo: {
    group: 'Label',
    label: 'Logo',
    hint: 'In place of the name, in the header, the footer, emails, receipts, icons and what search engines show.',
    form: { kind: 'logo' },
    schema: z.nullable(
      z.object({
        file: z.string().check(z.regex(/^logo\.[0-9a-f]{16}$/, 'Please upload a logo')),
        width: z.int().check(z.gte(1), z.lte(LOGO_BOX.width)),
        height: z.int().check(z.gte(1), z.lte(LOGO_BOX.height)),
        ground: z.enum(['any', 'light', 'dark']),
      }),
    ),
  },
  tagline: {
    group: 'Label',
    label: 'Tagline',
    hint: 'On the home page, in the footer and in emails.',
    form: { kind: 'line' },
    schema: singleLineText(100, 'Please enter a tagline'),
  },
  banner: {
    group: 'Label',
    label: 'Banner',
    hint: 'At the top of every page.',
    form: { kind: 'line' },
    schema: shortText(1, 160, 'Please write something'),
  },
  footerNote: {
    group: 'Label',
    label: 'Footer note',
    hint: 'Beside the copyright line.',
    form: { kind: 'line' },
    schema: singleLineText(100, 'Please write something'),
  },
  imprint: {
    group: 'Label',
    label: 'Company line',
    hint: 'In the footer and on the contact page: who sells, the town and the registration. May be empty.',
    form: { kind: 'line' },
    schema: optionalText(200),
  },
  supportEmail: {
    group: 'Contact',
    label: 'Support email',
    hint: 'On the contact and policy pages and in emails. Messages from the contact form go there too.',
    form: { kind: 'line' },
    schema: emailAddress,
  },
  businessEmail: {
    group: 'Contact',
    label: 'Business email',
    hint: 'On the contact page. The shop’s own alerts go there too.',
    form: { kind: 'line' },
    schema: emailAddress,
  },
  supportHours: {
    group: 'Contact',
    label: 'Support hours',
    hint: 'On the contact page.',
    form: { kind: 'rows', row: 'Hours', max: 4, fields: { days: { label: 'Days' }, hours: { label: 'Hours' } } },
    schema: z
      .array(
        z.object({ days: singleLineText(40, 'Please enter days'), hours: singleLineText(40, 'Please enter hours') }),
      )
      .check(z.maxLength(4, 'Please enter at most four')),
  },
  responsePromise: {
    group: 'Contact',
    label: 'Response promise',
    hint: 'On the policy pages, in the chat and in emails.',
    form: {
      kind: 'fields',
      fields: {
        withinHours: { label: 'Answered within hours', isNumber: true },
        days: { label: 'On these days' },
        hours: { label: 'At these hours' },
      },
    },
    schema: z.object({
      withinHours: count(1, 240),
      days: singleLineText(40, 'Please enter days'),
      hours: singleLineText(40, 'Please enter hours'),
    }),
  },
  channel: {
    group: 'Contact',
    label: 'Featured channel',
    hint: 'In the footer, on the product list and as a suggestion when a search finds nothing.',
    form: {
      kind: 'fields',
      fields: { name: { label: 'Name' }, handle: { label: 'Handle' }, url: { label: 'Address' } },
    },
    schema: z.object({
      name: singleLineText(40, 'Please enter a name'),
      handle: singleLineText(40, 'Please enter a handle'),
      url: link,
    }),
  },
  social: {
    group: 'Contact',
    label: 'Social links',
    hint: 'The footer’s Follow column.',
    form: { kind: 'rows', row: 'Link', max: 8, fields: { name: { label: 'Name' }, url: { label: 'Address' } } },
    schema: z
      .array(z.object({ name: singleLineText(40, 'Please enter a name'), url: link }))
      .check(z.maxLength(8, 'Please enter at most eight')),
  },
  homeSections: {
    group: 'Home page',
    label: 'Sections',
    hint: 'Drag them, or use the arrows. Sections without a check mark are hidden.',
    form: {
      kind: 'order',
      options: { hero: 'Opening picture and headline', collections: 'Collections', making: 'How it is made' },
    },
    schema: z.array(homeSection).check(
      z.minLength(1, 'Please show at least one section'),
      z.refine((shown) => new Set(shown).size === shown.length, 'Please list each section once'),
    ),
  },
  openingPicture: {
    group: 'Home page',
    label: 'Opening picture',
    hint: 'Beside the headline. At least 1600 pixels wide, 16:9; its edges fade into the dark ground.',
    form: { kind: 'picture' },
    schema: PictureInput,
  },
  upcoming: {
    group: 'Home page',
    label: 'Announcements',
    hint: 'Collections that are still to come.',
    form: { kind: 'rows', row: 'Announcement', max: 4, fields: { title: { label: 'Title' }, text: { label: 'Text' } } },
    schema: z
      .array(
        z.object({
          title: singleLineText(40, 'Please enter a title'),
          text: shortText(1, 160, 'Please write a sentence'),
        }),
      )
      .check(z.maxLength(4, 'Please enter at most four')),
  },
  processingDays: {
    group: 'Promises',
    label: 'Business days to make an order',
    hint: 'On product and policy pages, in emails and in expected arrivals.',
    form: range,
    schema: dayRange,
  },
  standardDays: {
    group: 'Promises',
    label: 'Business days of shipping, United States',
    hint: 'On product pages and Shipping & Returns.',
    form: range,
    schema: dayRange,
  },
  internationalDays: {
    group: 'Promises',
    label: 'Business days of shipping, elsewhere',
    hint: 'On product pages and Shipping & Returns, and in expected arrivals where the next setting names no country.',
    form: range,
    schema: dayRange,
  },
  transitDays: {
    group: 'Promises',
    label: 'Business days in transit, for expected arrivals',
    hint: 'By country codes, such as ‘DE FR’. Expected arrivals are these days after the business days to make an order; what misses them is late.',
    form: {
      kind: 'rows',
      row: 'Countries',
      max: TRANSIT_ROWS_MAX,
      fields: {
        countries: { label: 'Country codes' },
        from: { label: 'From', isNumber: true },
        to: { label: 'To', isNumber: true },
      },
    },
    schema: z.array(transitRow).check(
      z.maxLength(TRANSIT_ROWS_MAX, `Please enter at most ${TRANSIT_ROWS_MAX}`),
      z.refine((rows) => {
        const codes = rows.flatMap(({ countries }) => countries.split(' '))
        return new Set(codes).size === codes.length
      }, 'Please name each country once'),
    ),
  },
  contactDomesticDays: {
    group: 'Promises',
    label: 'Business days on the contact page, domestic',
    hint: 'Only on the contact page.',
    form: range,
    schema: dayRange,
  },
  contactInternationalDays: {
    group: 'Promises',
    label: 'Business days on the contact page, international',
    hint: 'Only on the contact page.',
    form: range,
    schema: dayRange,
  },
  successDays: {
    group: 'Promises',
    label: 'Business days after a purchase',
    hint: 'Only on the page after a purchase, in ‘What happens next?’.',
    form: range,
    schema: dayRange,
  },
  changeWindowMinutes: {
    group: 'Promises',
    label: 'Minutes to change or cancel an order',
    hint: 'Paid orders go to the printer only after that, unless the shopper wants it made at once. 0: right away. Counts for new orders.',
    form: { kind: 'number' },
    schema: z
      .number('Please enter a number, such as 60')
      .check(
        z.gte(0, 'Please enter a number from 0'),
        z.lte(MINUTES_A_DAY, `Please enter at most ${MINUTES_A_DAY}`),
        z.multipleOf(0.5, 'Please use steps of 0.5'),
      ),
  },
  returnDays: {
    group: 'Promises',
    label: 'Days to return something',
    hint: 'Counted from delivery; on product and policy pages and in emails.',
    form: { kind: 'number' },
    schema: count(1, 365),
  },
  refundDays: {
    group: 'Promises',
    label: 'Business days until a refund arrives',
    hint: 'On the policy pages and in emails.',
    form: range,
    schema: dayRange,
  },
  raffleWinnerDays: {
    group: 'Promises',
    label: 'Days until a raffle’s winner is picked',
    hint: 'In the raffle rules of the Terms of Service.',
    form: range,
    schema: dayRange,
  },
  raffleClaimDays: {
    group: 'Promises',
    label: 'Days to claim a raffle’s prize',
    hint: 'In the raffle rules of the Terms of Service.',
    form: { kind: 'number' },
    schema: count(1, 365),
  },
  raffleAgeMin: {
    group: 'Promises',
    label: 'Minimum age for raffles',
    hint: 'In the raffle rules of the Terms of Service.',
    form: { kind: 'number' },
    schema: count(13, 99),
  },
  shipping: {
    group: 'Money',
    label: 'Who pays for shipping',
    hint: 'Checkouts started from now on use it.',
    form: {
      kind: 'choice',
      options: {
        environment: 'As the shop was started (SHIPPING)',
        free: 'The shop: free worldwide',
        partner: 'The shopper, at the printer’s rate',
      },
    },
    schema: z.enum(['environment', 'free', 'partner']),
  },
  currencyRates: {
    group: 'Money',
    label: 'Exchange rates',
    hint: 'Beside totals, in the currency of the country of delivery: ‘about 29 EUR, charged in US dollars’. Shown for seven days after the day of a rate; an order keeps the rate that it was bought at. Nothing is computed from it.',
    form: {
      kind: 'rows',
      reads: 'rates',
      row: 'Rate',
      max: indicativeCurrencies.length,
      fields: {
        currency: { label: 'Currency, such as EUR' },
        perDollar: { label: 'For a US dollar', isNumber: true },
        day: { label: 'Day, such as 2026-11-23' },
      },
    },
    schema: z.array(currencyRate).check(
      z.maxLength(indicativeCurrencies.length, 'Please enter each currency once'),
      z.refine(
        (rates) => new Set(rates.map(({ currency }) => currency)).size === rates.length,
        'Please enter each currency once',
      ),
    ),
  },
  marginFloor: {
    group: 'Money',
    label: 'Least that a sale must leave, in US dollars',
    hint: 'After the printer, shipping, the payment provider’s fee and a partner’s share. What would leave less waits for your yes. 0: no sale at a loss.',
    form: { kind: 'amount' },
    schema: branded<Cents>(
      z
        .int('Please enter an amount, such as 2.50')
        .check(z.gte(0, 'Please enter an amount from 0'), z.lte(100_000, 'Please enter at most $1,000')),
    ),
  },
  commission: {
    group: 'Money',
    label: 'Partners’ share in percent',
    hint: 'For new partners; partners keep the rate they have.',
    form: {
      kind: 'fields',
      fields: { usual: { label: 'Usual', isNumber: true }, most: { label: 'At most', isNumber: true } },
    },
    schema: z.object({ usual: percent, most: percent }).check(
      z.refine(({ usual, most }) => usual <= most, {
        error: 'The usual share can’t be above the most',
        path: ['most'],
      }),
    ),
  },
  commissionOn: {
    group: 'Money',
    label: 'Partners’ commission is on the price',
    hint: 'Of orders whose payment starts from now on; others keep the rule that they had.',
    form: { kind: 'choice', options: { paid: 'After discounts, as paid', list: 'Before discounts, as listed' } },
    schema: z.enum(['paid', 'list']),
  },
  partnerCodes: {
    group: 'Money',
    label: 'Codes that partners make',
    hint: 'How many percent such a code takes off at most, and how many a partner has at once. 0%: partners make none. What could leave too little waits for your yes here, not for each code.',
    form: {
      kind: 'fields',
      fields: {
        percent: { label: 'Percent off at most', isNumber: true },
        active: { label: 'Active at once', isNumber: true },
      },
    },
    schema: z.object({ percent: count(0, 100), active: count(1, 100) }),
  },
  taxRegistrations: {
    group: 'Tax',
    label: 'Registrations',
    hint: 'For the tax report. What is collected is decided at Stripe Tax; a place that collects without being listed here is marked.',
    form: {
      kind: 'rows',
      row: 'Registration',
      max: REGISTRATIONS_MAX,
      fields: {
        place: { label: 'Place, such as DE, US-NY or EU' },
        number: { label: 'Number' },
        since: { label: 'Since, such as 2026-11-23' },
      },
    },
    schema: z.array(registration).check(
      z.maxLength(REGISTRATIONS_MAX, `Please enter at most ${REGISTRATIONS_MAX}`),
      z.refine((rows) => new Set(rows.map(({ place }) => place)).size === rows.length, 'Please enter each place once'),
    ),
  },
  ossDispatch: {
    group: 'Tax',
    label: 'Country that goods to the European Union are sent from',
    hint: 'For One Stop Shop returns: the printer’s, such as LV. Sales within it are no distance sales. Empty: there is no such file.',
    form: { kind: 'line' },
    schema: z.string(DISPATCH_SENTENCE).check(
      z.trim(),
      z.toUpperCase(),
      z.refine((code) => code === '' || europeanUnion.has(code), DISPATCH_SENTENCE),
    ),
  },
  ecbRates: {
    group: 'Tax',
    label: 'Euro rates of the European Central Bank',
    hint: 'For One Stop Shop returns: US dollars for a euro on the last day of each quarter, or on the next day with a rate (ecb.europa.eu, euro foreign exchange reference rates).',
    form: {
      kind: 'rows',
      row: 'Rate',
      max: EURO_RATES_MAX,
      fields: {
        day: { label: 'Day, such as 2026-09-30' },
        perEuro: { label: 'US dollars for a euro', isNumber: true },
      },
    },
    schema: z.array(euroRate).check(
      z.maxLength(EURO_RATES_MAX, `Please enter at most ${EURO_RATES_MAX}`),
      z.refine((rows) => new Set(rows.map(({ day }) => day)).size === rows.length, 'Please enter each day once'),
    ),
  },
  seller: {
    group: 'Invoices',
    label: 'Seller',
    hint: 'On invoices and credit notes. Until it is entered, customers get a receipt alone.',
    form: {
      kind: 'fields',
      fields: {
        name: { label: 'Company or name, as registered' },
        street: { label: 'Street and number' },
        postalCode: { label: 'Postal code' },
        city: { label: 'City' },
        state: { label: 'State, if it has one' },
        country: { label: 'Country code, such as DE' },
      },
    },
    schema: seller,
  },
  sellerNumbers: {
    group: 'Invoices',
    label: 'Seller’s numbers',
    hint: 'On invoices and credit notes. The structured form of the European Union needs the register or a tax number, and for VAT the VAT number.',
    form: {
      kind: 'fields',
      fields: {
        vatId: { label: 'VAT number, such as DE123456789' },
        taxNumber: { label: 'Tax number' },
        register: { label: 'Register, such as HRB 12345, Berlin' },
      },
    },
    schema: z.object({
      vatId: optionalText(20).check(
        z.toUpperCase(),
        z.regex(/^(?:[A-Z]{2}[0-9A-Z+*]{2,15})?$/, 'Please enter the number with its country, such as DE123456789'),
      ),
      taxNumber: optionalText(40),
      register: optionalText(80),
    }),
  },
  invoicePrefix: {
    group: 'Invoices',
    label: 'Before the numbers of invoices',
    hint: 'Such as R in R-2026-000001. Invoices and credit notes have one series for each year, without gaps.',
    form: { kind: 'line' },
    schema: z
      .string('Please enter letters and digits, or nothing')
      .check(
        z.trim(),
        z.toUpperCase(),
        z.regex(/^[A-Z0-9]{0,8}$/, 'Please use at most 8 letters from A to Z and digits'),
      ),
  },
  untaxedAbroad: {
    group: 'Invoices',
    label: 'Sales without tax to places outside the European Union',
    hint: 'How invoices state them where the seller is in the European Union. Goods that never enter it are not exported from it.',
    form: {
      kind: 'choice',
      options: { outside: 'Not subject to its VAT', export: 'Exported from the European Union' },
    },
    schema: z.enum(['outside', 'export']),
  },
  vatExemption: {
    group: 'Invoices',
    label: 'Why sales without tax within the European Union are exempt',
    hint: 'The reason on such invoices, as your country words it, such as the rule for small businesses. Empty: they are not subject to VAT.',
    form: { kind: 'line' },
    schema: optionalText(200),
  },
  deliveryMails: {
    group: 'Parcels',
    label: 'Emails between shipping and delivery',
    hint: 'At most one of each for a parcel, when the carrier reports it. The order’s page shows everything anyway.',
    form: {
      kind: 'choice',
      options: {
        none: 'None',
        failed_attempt: 'When an attempt to deliver fails',
        both: 'Also when the parcel is out for delivery',
      },
    },
    schema: z.enum(deliveryMailChoices),
  },
  parcelDecision: {
    group: 'Parcels',
    label: 'Refunds and new parcels that shoppers choose',
    hint: 'For a parcel that is late, lost or returned. A returned parcel goes out again, and what nobody has begun to make is refunded, without you in any case.',
    form: {
      kind: 'choice',
      options: { owner: 'Wait for you on the Claims page', at_once: 'Are started at once' },
    },
    schema: z.enum(parcelDecisions),
  },
  reviewsAppear: {
    group: 'Reviews',
    label: 'New and changed reviews',
    hint: 'On the product’s page. You can hide a review at any time.',
    form: {
      kind: 'choice',
      options: { after_approval: 'Appear after you publish them', at_once: 'Appear at once' },
    },
    schema: z.enum(['after_approval', 'at_once']),
  },
  reviewRequestDays: {
    group: 'Reviews',
    label: 'Days after delivery until buyers are asked for a review',
    hint: 'One email for each order; 0 sends none.',
    form: { kind: 'number' },
    schema: z.int(WHOLE_NUMBER).check(z.gte(0, 'Please enter a number from 0'), z.lte(60, 'Please enter at most 60')),
  },
  newsletterPerMinute: {
    group: 'Contact',
    label: 'Newsletter emails a minute',
    hint: 'As many as your mail server lets through beside the emails about orders.',
    form: { kind: 'number' },
    schema: count(1, 10_000),
  },
  salesMail: report('Business report'),
  originsMail: report('Who brought it'),
  reconciliationMail: report('Reconciliation'),
  taxMail: monthlyReport('Tax report'),
  closeMail: monthlyReport('Month to close'),
}

export type SettingName = keyof SiteSettings

/** A setting's change. `was`: the value on which it is based; another one is refused. A `value` of null restores the default. */
export type SettingChange<Value = unknown> = { was: unknown; value: Value | null }
export type SettingChanges = { [Name in SettingName]?: SettingChange<SiteSettings[Name]> }

const objectOf = <Values>(toMember: (schema: z.ZodMiniType) => z.ZodMiniType) =>
  // The list has every name once, with its own schema.
  z.object(
    Object.fromEntries(Object.entries(settingList).map(([name, { schema }]) => [name, toMember(schema)])),
  ) as unknown as z.ZodMiniType<Values, Values>

/** Settings that differ from their defaults. */
export const ChangedSettings = objectOf<Partial<SiteSettings>>((schema) => z.optional(schema))

const AllSettings = objectOf<SiteSettings>((schema) => schema)

export const settingCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/settings',
    access: 'read_settings',
    summary: 'Every setting with its value and its default, and the latest changes.',
    answer: z.object({ values: AllSettings, defaults: AllSettings, changes: z.array(AuditLogEntry) }),
    refusals: [],
  }),
  save: call({
    method: 'PUT',
    path: '/api/admin/settings',
    access: 'owner',
    summary: 'Changes settings, all or none; each names the value on which its change is based.',
    query: Acceptance,
    body: objectOf<SettingChanges>((schema) => z.optional(z.object({ was: z.unknown(), value: z.nullable(schema) }))),
    answer: z.object({ done: z.string() }),
    refusals: ['setting_changed', 'below_floor'],
  }),
  undo: call({
    method: 'POST',
    path: '/api/admin/settings/undo/:action',
    access: 'owner',
    summary: 'Restores the value that a setting had before an entry of the log.',
    params: z.object({ action: providerPathId<number>() }),
    query: Acceptance,
    answer: z.object({ done: z.string() }),
    refusals: ['nothing_to_undo', 'below_floor'],
  }),
}
