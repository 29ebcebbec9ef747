import type { Account, PostingKind } from './ledger.ts'

const accountLabels: Record<Account, string> = {
  'provider:stripe': 'Stripe',
  'provider:paypal': 'PayPal',
  'revenue:merchandise': 'Goods sold',
  'revenue:shipping': 'Shipping sold',
  'revenue:surcharge': 'Surcharges',
  'liability:tax': 'Tax owed',
  'liability:vat_protection': 'VAT protection owed',
  'liability:unassigned_payments': 'Payments without an order',
  'receivable:disputes': 'Held in disputes',
  'expense:disputes': 'Lost in disputes',
  'expense:dispute_fees': 'Fees of disputes',
  'expense:provider_fees': 'Payment fees',
  'expense:fulfillment': 'Printing and sending',
  print_partner: 'Printer',
  bank: 'Bank',
  'expense:commission': 'Commission',
  'liability:commission': 'Commission owed',
}

/** An account as the owner reads it; one that is not known here by its own name. */
export const accountLabel = (account: string): string => accountLabels[account as Account] ?? account

const kinds: Partial<Record<PostingKind, string>> = {
  partner_cost: 'printer’s cost',
  partner_credit: 'printer’s credit',
}

/** What a posting is, as the owner reads it. */
export const postingLabel = (kind: string): string => kinds[kind as PostingKind] ?? kind.replaceAll('_', ' ')
