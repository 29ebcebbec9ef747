import { europeanUnion } from '#domain/tax/european-union.ts'
import type { TaxAmounts } from '#domain/tax/bookings.ts'
import { ZERO } from '#shared/money.ts'
import type { InvoiceSeller } from './invoice.ts'

/** The European standard's category of a document's tax (EN 16931, code list UNTDID 5305), with its rate in percent. */
export type VatTreatment =
  | { category: 'S'; rate: string; reason: null }
  | { category: 'E' | 'G' | 'O'; rate: '0'; reason: string }

/** What the owner's settings say about sales without tax. */
export type UntaxedSales = {
  /** Goods leave the European Union on their way, so that the sale is an export. */
  isExport: boolean
  /** The reason why a sale within the European Union is exempt, such as a small business; empty if none is. */
  exemption: string
}

/** The law's short reasons, as the standard's own code list words them. */
const EXPORT = 'Export outside the EU'
const OUTSIDE = 'Not subject to VAT'

/**
 * How the European standard states a document's tax; it knows VAT alone, and a rate for each line. Other documents have no structured
 * form: a sales tax or a rate that is not known must not be called VAT.
 */
export function vatTreatmentOf(
  { net, tax, vatProtection, parts }: TaxAmounts,
  seller: Pick<InvoiceSeller, 'country' | 'vatId' | 'taxNumber' | 'register'>,
  { isExport, exemption }: UntaxedSales,
  destination: string,
): VatTreatment | { objection: string } {
  const treatment = treatmentOf()
  if ('objection' in treatment) return treatment
  const isIdentified = treatment.category === 'S' ? seller.vatId || seller.taxNumber : seller.vatId
  if (treatment.category !== 'O' && !isIdentified)
    return { objection: 'The structured form of a sale with VAT needs the shop’s VAT number.' }
  // The standard wants a number by which the buyer's software knows the seller.
  if (!seller.register && !seller.taxNumber && (treatment.category === 'O' || !seller.vatId))
    return { objection: 'The structured form needs the shop’s register or tax number.' }
  return treatment

  function treatmentOf(): VatTreatment | { objection: string } {
    const [part, ...others] = parts
    if (parts.some(({ percentage }) => percentage === '')) return { objection: 'The rate of its tax is not known.' }
    if (tax !== ZERO || (part && Number(part.percentage) > 0)) {
      const isVat = part?.type === 'vat' && others.length === 0 && part.taxable === net && vatProtection === ZERO
      if (!isVat || !part) return { objection: 'The structured form knows VAT alone, at one rate for all of it.' }
      return { category: 'S', rate: part.percentage, reason: null }
    }
    const isEuropeanSeller = europeanUnion.has(seller.country) && seller.vatId !== ''
    if (isEuropeanSeller && vatProtection === ZERO) {
      if (isExport && !europeanUnion.has(destination)) return { category: 'G', rate: '0', reason: EXPORT }
      if (exemption && europeanUnion.has(destination)) return { category: 'E', rate: '0', reason: exemption }
    }
    return { category: 'O', rate: '0', reason: OUTSIDE }
  }
}
