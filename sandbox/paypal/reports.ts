import { z } from 'zod'
import { timeText, type Booking, type Needs } from './books.ts'
import { read } from './order-body.ts'
import { link, payer, usd } from './shapes.ts'
import { PaypalError } from './errors.ts'

const DAY_MS = 86_400_000
/** A payment appears in the reports only after this time. */
const LAG_MS = 3 * 3_600_000
const RANGE_DAYS_MAX = 31
const YEARS_BACK = 3

const instant = z.iso.datetime({ offset: true })
const question = z.looseObject({
  start_date: instant,
  end_date: instant,
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(500).default(100),
  transaction_id: z.string().optional(),
})

/** `GET /v1/reporting/transactions`: the account's history, oldest first. */
export function transactions({ books, kit, base }: Needs, query: URLSearchParams) {
  const wanted = read(question, Object.fromEntries(query))
  const [from, until] = [Date.parse(wanted.start_date), Date.parse(wanted.end_date)]
  const now = kit.clock.now().getTime()
  if (until < from) throw badDates('The end date is before the start date.')
  if (until - from > RANGE_DAYS_MAX * DAY_MS) throw badDates(`Date range is greater than ${RANGE_DAYS_MAX} days`)
  if (from < now - YEARS_BACK * 366 * DAY_MS) throw badDates('The start date is more than three years ago.')

  const visible = now - LAG_MS
  const found = books.bookings.filter(
    ({ at, id, captureId }) =>
      wholeSecond(at) >= from &&
      wholeSecond(at) <= Math.min(until, visible) &&
      [undefined, id, captureId].includes(wanted.transaction_id),
  )
  const pages = Math.max(1, Math.ceil(found.length / wanted.page_size))
  const first = (wanted.page - 1) * wanted.page_size
  return {
    transaction_details: found
      .slice(first, first + wanted.page_size)
      .map((booking) => detailOf(booking, books, query.get('fields') ?? 'transaction_info')),
    account_number: 'T3STSH2PMRCH2',
    start_date: timeText(new Date(from)),
    end_date: timeText(new Date(until)),
    last_refreshed_datetime: timeText(new Date(visible)),
    page: wanted.page,
    total_items: found.length,
    total_pages: pages,
    links: [link(base(), `/v1/reporting/transactions?${query}`, 'self')],
  }
}

/** Bookings are compared by their reported (whole-second) time. */
const wholeSecond = (at: Date): number => Date.parse(timeText(at))

function detailOf({ id, code, at, amount, fee, captureId }: Booking, books: Needs['books'], fields: string) {
  const capture = books.captures.get(captureId)
  return {
    transaction_info: {
      paypal_account_id: payer.id,
      transaction_id: id,
      ...(code === 'T0006'
        ? { paypal_reference_id: capture?.orderId, paypal_reference_id_type: 'ODR' }
        : captureId !== '' && { paypal_reference_id: captureId, paypal_reference_id_type: 'TXN' }),
      transaction_event_code: code,
      transaction_initiation_date: timeText(at),
      transaction_updated_date: timeText(at),
      transaction_amount: usd(amount),
      ...(fee !== 0 && { fee_amount: usd(fee) }),
      transaction_status: 'S',
      ...(capture?.invoiceId !== undefined && { invoice_id: capture.invoiceId }),
      ...(capture?.customId !== undefined && { custom_field: capture.customId }),
      protection_eligibility: '01',
    },
    ...(fields === 'all' || fields.includes('payer_info')
      ? {
          payer_info: {
            account_id: payer.id,
            email_address: payer.email,
            payer_status: 'Y',
            payer_name: { given_name: payer.given, surname: payer.surname },
            country_code: payer.country,
          },
        }
      : {}),
  }
}

const badDates = (description: string) => new PaypalError(400, [{ issue: 'INVALID_DATE_RANGE', description }])
