import type { PaymentProvider } from '#shared/ids.ts'
import { totalOf, type RefundParts } from '#domain/payments/returns.ts'
import { minus, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'

/**
 * Ledger accounts. Debits are positive (a provider's balance grows by a sale); credits are negative (what we earned or
 * owe).
 */
export const ledgerAccounts = [
  'provider:stripe',
  'provider:paypal',
  'bank',
  'receivable:disputes',
  'revenue:merchandise',
  'revenue:shipping',
  'revenue:surcharge',
  'liability:tax',
  'liability:vat_protection',
  'liability:unassigned_payments',
  /** What gift cards and store credit can still buy. */
  'liability:gift_cards',
  'liability:commission',
  /** Our balance with Printful; negative while we owe it. */
  'print_partner',
  /** Printful's charges including its consumption tax, which `liability:vat_protection` was collected for. */
  'expense:fulfillment',
  /** The same for orders without a payment: replacements, samples, gifts. */
  'expense:free_orders',
  'expense:commission',
  'expense:provider_fees',
  'expense:disputes',
  'expense:dispute_fees',
  /** Gift cards that the owner gave, less those taken back. */
  'expense:store_credit',
] as const
export type Account = (typeof ledgerAccounts)[number]

/** Numbers of journals count on their order: new ones go to the end. */
export const postingKinds = [
  'sale',
  'exception',
  'refund',
  'dispute',
  'fee',
  'partner_cost',
  'partner_credit',
  'payout',
  'commission',
  'commission_payout',
  /** A change of a paid order moved amounts between accounts, such as from tax to a surcharge. */
  'change',
  /** A gift card that the owner gave, somebody bought, or that was taken back. */
  'gift_card',
  /** A correction after comparison with the provider's book. */
  'correction',
] as const
export type PostingKind = (typeof postingKinds)[number]

export type Entry = { account: Account; amount: Cents }

type Amounts = { subtotal: Cents; shipping: Cents; surcharge: Cents; tax: Cents; vatProtection: Cents; total: Cents }

/**
 * A sale: the provider has merchandise, shipping, surcharge, tax and the collected consumption tax.
 * @param byGiftCard the part of the total that a gift card paid
 */
export const entriesOfSale = (provider: PaymentProvider, amounts: Amounts, byGiftCard: Cents = ZERO): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: minus(amounts.total, byGiftCard) },
    { account: 'liability:gift_cards', amount: byGiftCard },
    { account: 'revenue:merchandise', amount: negate(amounts.subtotal) },
    { account: 'revenue:shipping', amount: negate(minus(amounts.shipping, amounts.surcharge)) },
    { account: 'revenue:surcharge', amount: negate(amounts.surcharge) },
    { account: 'liability:tax', amount: negate(amounts.tax) },
    { account: 'liability:vat_protection', amount: negate(amounts.vatProtection) },
  ])

/** Money without an order: we owe it until somebody decides. */
export const entriesOfException = (provider: PaymentProvider, amount: Cents): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount },
    { account: 'liability:unassigned_payments', amount: negate(amount) },
  ])

/** Money without an order went back to the payer. */
export const entriesOfExceptionRefund = (provider: PaymentProvider, amount: Cents): Entry[] =>
  reverseEntries(entriesOfException(provider, amount))

/** A refund: each part reverses where the sale booked it. */
export const entriesOfRefund = (provider: PaymentProvider, parts: RefundParts): Entry[] =>
  entriesOfReturn(`provider:${provider}`, parts)

/** The same onto a gift card. */
export const entriesOfRefundToGiftCard = (parts: RefundParts): Entry[] => entriesOfReturn('liability:gift_cards', parts)

const entriesOfReturn = (account: Account, parts: RefundParts): Entry[] =>
  withoutZeros([
    { account, amount: negate(totalOf(parts)) },
    { account: 'revenue:merchandise', amount: parts.merchandise },
    { account: 'revenue:shipping', amount: parts.shipping },
    { account: 'revenue:surcharge', amount: parts.surcharge },
    { account: 'liability:tax', amount: parts.tax },
    { account: 'liability:vat_protection', amount: parts.vatProtection },
  ])

/** A gift card that somebody bought: owed until it is used. No revenue and no tax before that. */
export const entriesOfGiftCardSale = (provider: PaymentProvider, amount: Cents): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount },
    { account: 'liability:gift_cards', amount: negate(amount) },
  ])

/** What is left of a bought gift card is owed to its payer instead: a refund of a payment without an order pays it out. */
export const entriesOfGiftCardRefund = (amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'liability:gift_cards', amount },
    { account: 'liability:unassigned_payments', amount: negate(amount) },
  ])

/** Money that went back to the payer of a gift card which was not taken from the card: lost until `entriesOfRecovery`. */
export const entriesOfGiftCardLoss = (amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'expense:disputes', amount },
    { account: 'liability:unassigned_payments', amount: negate(amount) },
  ])

/** What was on a gift card makes up for a loss with its payment. */
export const entriesOfRecovery = (amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'liability:gift_cards', amount },
    { account: 'expense:disputes', amount: negate(amount) },
  ])

/** A gift card that the owner gave: owed until it is used. Taken back, it is reversed. */
export const entriesOfGiftCard = (amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'expense:store_credit', amount },
    { account: 'liability:gift_cards', amount: negate(amount) },
  ])

/** The bank withdrew a disputed amount, for now; the provider's fee is gone. */
export const entriesOfDispute = (provider: PaymentProvider, amount: Cents, fee: Cents): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: negate(plus(amount, fee)) },
    { account: 'receivable:disputes', amount },
    { account: 'expense:dispute_fees', amount: fee },
  ])

/** The bank decided: the amount came back, or is lost. */
export const entriesOfDecision = (provider: PaymentProvider, amount: Cents, isWon: boolean): Entry[] =>
  withoutZeros([
    { account: 'receivable:disputes', amount: negate(amount) },
    { account: isWon ? `provider:${provider}` : 'expense:disputes', amount },
  ])

/** The fee of a dispute we won, where the provider returns it. */
export const entriesOfDisputeFeeReturn = (provider: PaymentProvider, fee: Cents): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: fee },
    { account: 'expense:dispute_fees', amount: negate(fee) },
  ])

/**
 * The provider's fee for a payment, known some time after the sale.
 * @param fee still to be booked; negative if the provider returned some of it
 */
export const entriesOfFee = (provider: PaymentProvider, fee: Cents): Entry[] =>
  withoutZeros([
    { account: 'expense:provider_fees', amount: fee },
    { account: `provider:${provider}`, amount: negate(fee) },
  ])

/** Printful's charge for an order, booked when it confirms the order. */
export const entriesOfPrinterCost = (cost: Cents, isSale: boolean): Entry[] =>
  withoutZeros([
    { account: isSale ? 'expense:fulfillment' : 'expense:free_orders', amount: cost },
    { account: 'print_partner', amount: negate(cost) },
  ])

/** Printful's credit for a canceled order, a piece it could not make or a returned parcel. */
export const entriesOfPrinterCredit = (amount: Cents, isSale: boolean): Entry[] =>
  reverseEntries(entriesOfPrinterCost(amount, isSale))

/** A payout by the provider to our bank. One that fails is reversed. */
export const entriesOfPayout = (provider: PaymentProvider, amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'bank', amount },
    { account: `provider:${provider}`, amount: negate(amount) },
  ])

/** A partner's commission is owed from then on; a refund reverses its part. */
export const entriesOfCommission = (amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'expense:commission', amount },
    { account: 'liability:commission', amount: negate(amount) },
  ])

/** Paid a partner what we owed. */
export const entriesOfCommissionPayout = (amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'liability:commission', amount },
    { account: 'bank', amount: negate(amount) },
  ])

/** The same from our bank account instead of the provider's. */
export const replaceProviderWithBank = (entries: readonly Entry[]): Entry[] =>
  entries.map((entry) => (entry.account.startsWith('provider:') ? { ...entry, account: 'bank' } : entry))

/** Reverses a posting: the ledger is append-only. */
export const reverseEntries = (entries: readonly Entry[]): Entry[] =>
  entries.map(({ account, amount }) => ({ account, amount: negate(amount) }))

export const isBalanced = (entries: readonly Entry[]): boolean => sum(entries.map(({ amount }) => amount)) === ZERO

const withoutZeros = (entries: Entry[]) => entries.filter(({ amount }) => amount !== ZERO)
