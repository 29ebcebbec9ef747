import { DAY_MS } from '#shared/time.ts'

// Who may take back an online purchase by law, as understood in November 2026. `compared` says what each row was compared with. No legal
// advice.

export const withdrawalGroups = ['eea', 'uk', 'brazil', 'korea', 'elsewhere'] as const
export type WithdrawalGroup = (typeof withdrawalGroups)[number]

/** `exception`: the shop relies on the exception for goods made to order, or no law gives the right. */
export type WithdrawalChoice = 'offered' | 'exception'
export type WithdrawalChoices = Readonly<Record<WithdrawalGroup, WithdrawalChoice>>

export type WithdrawalLaw = {
  name: string
  /** Empty: everywhere else. */
  countries: readonly string[]
  /** From the day on which the last of the goods arrived. */
  days: number
  law: string
  /** For goods made to order; null where the law has none. */
  exception: string | null
  /** How we read it for goods that are printed on demand. */
  reading: string
  source: string
  /** What the row was compared with in November 2026. */
  compared: string
  choice: WithdrawalChoice
}

/**
 * The Commission's guidance on Directive 2011/83/EU (OJ C 525, 29.12.2021, section 5.11.2): picking one of the trader's set options is no
 * specification by the consumer. Our products carry the shop's own designs in set colors and sizes.
 */
const STANDARD_OPTIONS =
  'The exception is for goods made to the consumer’s own specifications or clearly personalized. Ours have the shop’s own designs in set colors and sizes, so it probably does not apply, although each piece is printed after the order.'

export const withdrawalLaws: Readonly<Record<WithdrawalGroup, WithdrawalLaw>> = {
  eea: {
    name: 'European Union and European Economic Area',
    countries: [
      ...['AT', 'BE', 'BG', 'HR', 'CY', 'CZ', 'DK', 'EE', 'FI', 'FR', 'DE', 'GR', 'HU', 'IE', 'IT', 'LV', 'LT', 'LU'],
      ...['MT', 'NL', 'PL', 'PT', 'RO', 'SK', 'SI', 'ES', 'SE', 'IS', 'LI', 'NO'],
    ],
    days: 14,
    law: 'Directive 2011/83/EU, Articles 9 to 14, with the withdrawal function of Article 11a (Directive (EU) 2023/2673)',
    exception: 'Article 16(c)',
    reading: STANDARD_OPTIONS,
    source: 'https://eur-lex.europa.eu/eli/dir/2011/83',
    compared:
      'Article 9 with a public copy of its text as adopted; Article 11a, in force since June 19, 2026, with law firms’ summaries. National laws were not compared.',
    choice: 'offered',
  },
  uk: {
    name: 'United Kingdom',
    countries: ['GB'],
    days: 14,
    law: 'Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013, regulations 29 to 34',
    exception: 'Regulation 28(1)(b)',
    reading: STANDARD_OPTIONS,
    source: 'https://www.legislation.gov.uk/uksi/2013/3134/regulation/28',
    compared: 'Regulation 28(1)(b) and the 14 days with an article by consumer advisers that quotes them.',
    choice: 'offered',
  },
  brazil: {
    name: 'Brazil',
    countries: ['BR'],
    days: 7,
    law: 'Consumer Defense Code (Law 8.078/1990), Article 49',
    exception: null,
    reading: 'The law has no exception for goods made to order; courts often decide otherwise about custom ones.',
    source: 'https://www.planalto.gov.br/ccivil_03/leis/l8078compilado.htm',
    compared: 'Article 49 with translations by Brazilian lawyers.',
    choice: 'offered',
  },
  korea: {
    name: 'South Korea',
    countries: ['KR'],
    days: 7,
    law: 'Act on the Consumer Protection in Electronic Commerce, Article 17(1)',
    exception: 'Article 17(2) with Article 21 of its decree',
    reading:
      'The exception needs a notice before the purchase and the consumer’s agreement to it. The checkout asks for neither.',
    source: 'https://m.easylaw.go.kr/MOM/SubCsmOvRetrieve.laf?langCd=700101&csmSeq=1308&ccfNo=3&cciNo=3&cnpClsNo=3',
    compared:
      'The seven days, and which articles restrict them, with the government’s guide; the wording of the exception was not compared.',
    choice: 'offered',
  },
  elsewhere: {
    name: 'Everywhere else',
    countries: [],
    days: 14,
    law: 'We know of no law that gives this right for goods bought online in the other countries to which the shop delivers',
    exception: null,
    reading:
      'Offering it here is goodwill. In Japan a shop may set its own terms (Act on Specified Commercial Transactions, Article 15-3); ask a lawyer about Mexico.',
    source: '',
    compared: 'Nothing: no list of such laws was found.',
    choice: 'exception',
  },
}

export const withdrawalGroupOf = (country: string): WithdrawalGroup =>
  withdrawalGroups.find((group) => withdrawalLaws[group].countries.includes(country)) ?? 'elsewhere'

export const defaultWithdrawalChoices: WithdrawalChoices = {
  eea: withdrawalLaws.eea.choice,
  uk: withdrawalLaws.uk.choice,
  brazil: withdrawalLaws.brazil.choice,
  korea: withdrawalLaws.korea.choice,
  elsewhere: withdrawalLaws.elsewhere.choice,
}

/** January 1, 1970 was a Thursday; 0 is Sunday. */
const weekdayOf = (epochDay: number): number => (epochDay + 4) % 7
const SATURDAY = 6
const SUNDAY = 0
/** The last place on earth where the day ends. */
const BEHIND_UTC_MS = DAY_MS / 2

/**
 * The last day to withdraw, in days since 1970. The day of delivery does not count. A period that ends on a weekend goes on until Monday
 * (Regulation 1182/71, Article 3(4)); public holidays are not considered.
 * @param receivedAt when the last of the goods arrived
 */
export function lastDayToWithdraw(days: number, receivedAt: Date): number {
  let last = Math.floor(receivedAt.getTime() / DAY_MS) + days
  while ([SATURDAY, SUNDAY].includes(weekdayOf(last))) last += 1
  return last
}

const isTooLate = (days: number, receivedAt: Date, now: Date): boolean =>
  now.getTime() >= (lastDayToWithdraw(days, receivedAt) + 1) * DAY_MS + BEHIND_UTC_MS

/** Days after the declaration in which the money must go back (Directive 2011/83/EU, Article 13(1)); the others have no shorter time. */
export const REIMBURSE_DAYS = 14

/** Why a purchase can't be taken back; undefined if it can. */
export function objectionToWithdrawal(order: {
  country: string
  choices: WithdrawalChoices
  /** Canceled or refunded as a whole: there is nothing left to take back. */
  isOver: boolean
  /** When the last of the goods arrived; null before. */
  receivedAt: Date | null
  now: Date
}): 'not_offered' | 'over' | 'too_late' | undefined {
  const group = withdrawalGroupOf(order.country)
  if (order.choices[group] === 'exception') return 'not_offered'
  if (order.isOver) return 'over'
  if (order.receivedAt && isTooLate(withdrawalLaws[group].days, order.receivedAt, order.now)) return 'too_late'
  return undefined
}
