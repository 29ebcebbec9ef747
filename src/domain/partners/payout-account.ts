import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'

export const payoutMethods = ['iban', 'account', 'wallet'] as const
export type PayoutMethod = (typeof payoutMethods)[number]

export type PayoutAccount = { holder: string } & (
  | { method: 'iban'; iban: string; bic: string | null }
  /** A US bank account. */
  | { method: 'account'; routingNumber: string; accountNumber: string }
  | { method: 'wallet'; email: string }
)

/**
 * @param typed with or without spaces @returns without spaces, in capitals; undefined if it is not a valid IBAN (ISO
 * 13616)
 */
export function readIban(typed: string): string | undefined {
  const iban = electronicFormatIBAN(typed) ?? ''
  return isValidIBAN(iban) ? iban : undefined
}

/** @returns in capitals; undefined if it is not a valid BIC (ISO 9362) */
export function readBic(typed: string): string | undefined {
  const bic = typed.replace(/\s/g, '').toUpperCase()
  return isValidBIC(bic) ? bic : undefined
}

const ABA_WEIGHTS = [3, 7, 1] as const

/** Whether nine digits are a US routing number: their weighted sum is a multiple of ten (ABA). */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false
  const sum = Array.from(digits).reduce((all, digit, index) => all + Number(digit) * (ABA_WEIGHTS[index % 3] ?? 0), 0)
  return sum % 10 === 0
}

/** A masked account: `IBAN ending in 3000`, `wallet r***@mail.example`. */
export function maskedAccount(account: PayoutAccount): string {
  if (account.method === 'iban') return `IBAN ending in ${account.iban.slice(-4)}`
  if (account.method === 'account') return `account ending in ${account.accountNumber.slice(-4).padStart(4, '*')}`
  return `wallet ${account.email.replace(/^(.)[^@]*/, '$1***')}`
}
