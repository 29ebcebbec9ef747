import { formatUsd, type Cents } from '#shared/money.ts'

/** The printer's estimate for an order without a payment. */
export const costSentence = (cost: Cents | null): string =>
  cost === null
    ? 'The printer gives no estimate right now. It charges its usual price.'
    : `The printer will charge us about ${formatUsd(cost)}, shipping and tax included.`
