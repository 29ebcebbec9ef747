import { assert } from '#shared/assert.ts'
import { decimalFromCents, sum, type Cents } from '#shared/money.ts'

/** A bank transfer to be made. */
export type Transfer = {
  /** Of the payout; at most 35 letters. The receiver's bank statement shows it. */
  reference: string
  amount: Cents
  holder: string
  to: { iban: string; bic: string | null } | { routingNumber: string; accountNumber: string }
}

type TransferInstruction = {
  /** Equal instructions have equal ids, by which a bank that is sent one twice refuses the second. At most 35 letters. */
  id: string
  madeAt: Date
  /** `2026-11-21`: the first day on which the bank makes them. */
  day: string
  from: { name: string; iban: string; bic: string | null }
  transfers: readonly Transfer[]
}

/**
 * Transfers as a file that banks take: ISO 20022 Customer Credit Transfer Initiation, `pain.001.001.09`. Amounts are US dollars and
 * are never converted by us, so it asks for no SEPA scheme, whose only currency is the euro; see
 * `docs/decisions/0060-payouts-are-transfers-in-dollars.md`.
 */
export function creditTransferFile({ id, madeAt, day, from, transfers }: TransferInstruction): string {
  assert(transfers.length > 0, 'a transfer file needs a transfer')
  const counts =
    textElement('NbOfTxs', String(transfers.length)) +
    textElement('CtrlSum', decimalFromCents(sum(transfers.map((one) => one.amount))))
  const party = textElement('Nm', bankText(from.name, NAME_MAX))
  const header =
    textElement('MsgId', id) + textElement('CreDtTm', madeAt.toISOString()) + counts + xmlElement('InitgPty', party)
  const payment =
    textElement('PmtInfId', id) +
    textElement('PmtMtd', 'TRF') +
    counts +
    xmlElement('ReqdExctnDt', textElement('Dt', day)) +
    xmlElement('Dbtr', party) +
    xmlElement('DbtrAcct', xmlElement('Id', textElement('IBAN', from.iban))) +
    xmlElement('DbtrAgt', bankOf(from.bic)) +
    // Whoever sends and whoever receives pay their own bank.
    textElement('ChrgBr', 'SHAR') +
    transfers.map(transferXml).join('')
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">' +
    xmlElement('CstmrCdtTrfInitn', xmlElement('GrpHdr', header) + xmlElement('PmtInf', payment)) +
    '</Document>\n'
  )
}

const transferXml = ({ reference, amount, holder, to }: Transfer): string => {
  const isIban = 'iban' in to
  const agent = isIban
    ? to.bic && xmlElement('CdtrAgt', bankOf(to.bic))
    : xmlElement('CdtrAgt', xmlElement('FinInstnId', clearingMember(to.routingNumber)))
  const account = isIban
    ? textElement('IBAN', to.iban)
    : xmlElement('Othr', textElement('Id', bankText(to.accountNumber, 34)))
  return xmlElement(
    'CdtTrfTxInf',
    xmlElement('PmtId', textElement('InstrId', reference) + textElement('EndToEndId', reference)) +
      xmlElement('Amt', `<InstdAmt Ccy="USD">${decimalFromCents(amount)}</InstdAmt>`) +
      (agent ?? '') +
      xmlElement('Cdtr', textElement('Nm', bankText(holder, NAME_MAX))) +
      xmlElement('CdtrAcct', xmlElement('Id', account)) +
      xmlElement('RmtInf', textElement('Ustrd', bankText(`Partner payout ${reference}`, 140))),
  )
}

/** SEPA takes 70 letters of a name, ISO 140. */
const NAME_MAX = 70

const bankOf = (bic: string | null): string =>
  xmlElement('FinInstnId', bic ? textElement('BICFI', bic) : xmlElement('Othr', textElement('Id', 'NOTPROVIDED')))

/** A bank in the United States, by its routing number. */
const clearingMember = (routingNumber: string): string =>
  xmlElement('ClrSysMmbId', xmlElement('ClrSysId', textElement('Cd', 'USABA')) + textElement('MmbId', routingNumber))

const xmlElement = (name: string, inner: string): string => `<${name}>${inner}</${name}>`
const textElement = (name: string, text: string): string =>
  xmlElement(name, text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'))

/** Letters that do not come apart into a plain one and its mark. */
const ASCII_LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'AE', ø: 'o', Ø: 'O', œ: 'oe', Œ: 'OE', đ: 'd', Đ: 'D', ł: 'l', Ł: 'L', þ: 'th', Þ: 'TH' },
  ...{ ı: 'i', '&': '+', '@': '(at)', _: '-', '’': "'", '–': '-', '—': '-' },
}

/**
 * A text in the letters that every bank takes (SEPA, EPC217-08): a-z A-Z 0-9 / - ? : ( ) . , ' + and blank. It neither begins nor
 * ends with a slash nor has two of them; what has no counterpart becomes a dot.
 */
export function bankText(text: string, max: number): string {
  const written = Array.from(text.normalize('NFC'))
    .map((letter) => ASCII_LETTERS[letter] ?? letter.normalize('NFKD').replace(/\p{M}/gu, ''))
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.')
    .replace(/\/{2,}/g, '/')
    .slice(0, max)
    .replace(/^[/ ]+|[/ ]+$/g, '')
  return written || '.'
}
