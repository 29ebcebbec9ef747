import { assert } from '#shared/assert.ts'
import { decimalFromCents, sum, type Cents } from '#shared/money.ts'

/** A bank transfer to make. */
export type Transfer = {
  /** The payout's reference, shown on the receiver's bank statement; at most 35 characters. */
  reference: string
  amount: Cents
  holder: string
  to: { iban: string; bic: string | null } | { routingNumber: string; accountNumber: string }
}

type TransferInstruction = {
  /** Identical instructions have identical ids, so the bank rejects a duplicate. At most 35 characters. */
  id: string
  madeAt: Date
  /** `2026-11-21`: the earliest execution date. */
  day: string
  from: { name: string; iban: string; bic: string | null }
  transfers: readonly Transfer[]
}

/**
 * Transfers as a bank file: ISO 20022 Customer Credit Transfer Initiation, `pain.001.001.09`. Amounts are US dollars,
 * never converted by us, so it requests no SEPA scheme, which is euro only; see
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
    // Each side pays its own bank.
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

/** SEPA allows 70 characters of a name, ISO 140. */
const NAME_MAX = 70

const bankOf = (bic: string | null): string =>
  xmlElement('FinInstnId', bic ? textElement('BICFI', bic) : xmlElement('Othr', textElement('Id', 'NOTPROVIDED')))

/** A US bank by its routing number. */
const clearingMember = (routingNumber: string): string =>
  xmlElement('ClrSysMmbId', xmlElement('ClrSysId', textElement('Cd', 'USABA')) + textElement('MmbId', routingNumber))

const xmlElement = (name: string, inner: string): string => `<${name}>${inner}</${name}>`
const textElement = (name: string, text: string): string =>
  xmlElement(name, text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'))

/** Letters that do not decompose into a plain letter and a mark. */
const ASCII_LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'AE', ø: 'o', Ø: 'O', œ: 'oe', Œ: 'OE', đ: 'd', Đ: 'D', ł: 'l', Ł: 'L', þ: 'th', Þ: 'TH' },
  ...{ ı: 'i', '&': '+', '@': '(at)', _: '-', '’': "'", '–': '-', '—': '-' },
}

/**
 * Converts text to the characters every bank accepts (SEPA, EPC217-08): a-z A-Z 0-9 / - ? : ( ) . , ' + and space. No
 * leading, trailing or double slash; anything else becomes a dot.
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
