import type * as z from 'zod/mini'
import type { Movement, MovementKind } from '#domain/reconciliation/movements.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { type CheckoutId, paymentKey } from '#shared/ids.ts'
import { type Cents, ZERO, negate } from '#shared/money.ts'
import { originOf } from './orders.ts'
import type { transactionsShape } from './shapes.ts'

/** One line of the account's history. Outgoing amounts and fees are negative. */
export type WalletTransaction = {
  id: string
  kind: 'payment' | 'refund' | 'other'
  /** PayPal's event code, such as `T0006` or `T1201`. */
  code: string
  /** S: done, P: pending, D: denied, V: reversed. */
  status: string
  at: Date
  amount: Cents
  fee: Cents
  currency: string
  paymentId: string | null
  captureId: string | null
  invoiceId: string | null
  checkoutId: CheckoutId | null
}

/** A line of the account's books. Lines other than payments refer to a capture, not to its order. */
export type WalletMovement = Movement & { captureId: string | null }

type TransactionInfo = NonNullable<
  z.output<typeof transactionsShape>['transaction_details']
>[number]['transaction_info']

/** @returns undefined for lines without an amount, such as a hold */
export function asTransaction(info: TransactionInfo, report: ReportUnknownValue): WalletTransaction | undefined {
  const { transaction_event_code: code, transaction_amount: money, transaction_initiation_date: at } = info
  if (!money || !at || Number.isNaN(Date.parse(at))) return undefined
  if (!KNOWN_CODES.test(code ?? '')) report('transaction code', code ?? '')
  if (!'SPDV'.includes(info.transaction_status ?? 'S')) report('transaction status', info.transaction_status ?? '')
  const kind = code === 'T0006' ? 'payment' : code === 'T1107' ? 'refund' : 'other'
  const reference = info.paypal_reference_id ?? null
  return {
    id: info.transaction_id,
    kind,
    code: code ?? '',
    status: info.transaction_status ?? '',
    at: new Date(at),
    amount: money.amount,
    fee: info.fee_amount?.amount ?? ZERO,
    currency: money.currency,
    paymentId: info.paypal_reference_id_type === 'ODR' ? reference : null,
    captureId: kind === 'payment' ? info.transaction_id : info.paypal_reference_id_type === 'TXN' ? reference : null,
    invoiceId: info.invoice_id ?? null,
    checkoutId: originOf(info.custom_field).checkoutId,
  }
}

/** Pending transactions may still be denied; they are listed again once done. */
export const isDone = ({ status }: WalletTransaction): boolean => status === 'S' || status === 'V'

/** The event code groups that PayPal has published. */
const KNOWN_CODES = /^T(?:0\d|1\d|2[0-2]|30|50|9[6-9])\d\d$/

/** PayPal's event codes by prefix (developer.paypal.com/docs/reports/reference/tcodes). */
const movementKinds: readonly [code: RegExp, kind: MovementKind][] = [
  [/^T00/, 'charge'],
  [/^T01/, 'fee'],
  [/^T04/, 'payout'],
  [/^T110[67]/, 'refund'],
  [/^T11(?:10|11)|^T120/, 'dispute'],
]

export function asMovement({
  id,
  code,
  at,
  amount,
  fee,
  currency,
  captureId,
  ...named
}: WalletTransaction): WalletMovement {
  const kind = movementKinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'adjustment'
  return {
    provider: 'paypal',
    id,
    // An outgoing payment is not a sale.
    kind: kind === 'charge' && amount < 0 ? 'adjustment' : kind,
    amount,
    fee: negate(fee),
    currency,
    paymentKey: named.paymentId === null ? null : paymentKey('paypal', named.paymentId),
    sourceId: code === 'T1107' ? id : captureId,
    checkoutId: named.checkoutId,
    occurredAt: at,
    captureId,
  }
}
