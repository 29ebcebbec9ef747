import type { Account, PostingKind } from './ledger.ts'

const accountLabels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'provider:stripe': 'Stripe',
    'provider:paypal': 'PayPal',
    'revenue:merchandise': 'Merchandise sales',
    'revenue:shipping': 'Shipping charged',
    'revenue:surcharge': 'Surcharges',
    'liability:tax': 'Tax owed',
    'liability:vat_protection': 'VAT protection owed',
    'liability:unassigned_payments': 'Payments without an order',
    'liability:gift_cards': 'Gift cards owed',
    'receivable:disputes': 'Held in disputes',
    'expense:disputes': 'Lost disputes',
    'expense:dispute_fees': 'Dispute fees',
    'expense:provider_fees': 'Payment fees',
    'expense:fulfillment': 'Printing and shipping',
    'expense:free_orders': 'Orders without a payment',
    'expense:store_credit': 'Store credit given',
    print_partner: 'Printer',
    bank: 'Bank',
    'expense:commission': 'Commission',
    'liability:commission': 'Commission owed',
  } satisfies Record<Account, string>),
)

/** An account as the owner reads it; an unknown one by its own name. */
export const accountLabel = (account: string): string => accountLabels.get(account) ?? account

const postingLabels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    partner_cost: 'printer’s cost',
    partner_credit: 'printer’s credit',
  } satisfies Partial<Record<PostingKind, string>>),
)

/** A posting's kind as the owner reads it. */
export const postingLabel = (kind: string): string => postingLabels.get(kind) ?? kind.replaceAll('_', ' ')
