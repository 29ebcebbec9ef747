import type { Address } from '#domain/checkout/address.ts'
import { assert } from '#shared/assert.ts'
import { decimalFromCents, plus, ZERO, type Cents } from '#shared/money.ts'
import { netOfLine, totalOfAmounts, type InvoiceContent, type InvoiceLine, type InvoiceSeller } from './invoice.ts'
import type { VatTreatment } from './vat.ts'

const element = (name: string, ...inner: (string | false)[]): string => {
  const content = inner.filter((part) => part !== false).join('')
  return content && `<ram:${name}>${content}</ram:${name}>`
}
const escaped = (text: string): string =>
  // What XML 1.0 has no place for was cleaned away when it was typed; a surrogate alone was not.
  text.toWellFormed().replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
/** Left out without a text. */
const text = (name: string, content: string | null, attribute = ''): string =>
  content ? `<ram:${name}${attribute}>${escaped(content)}</ram:${name}>` : ''
const amount = (name: string, cents: Cents, attribute = ''): string => text(name, decimalFromCents(cents), attribute)
const compactDay = (day: string): string => day.replaceAll('-', '')

const INVOICE = '380'
const CREDIT_NOTE = '381'
/** Payment means (UNTDID 4461): a bank card; an online payment service. */
const MEANS = { card: '48', paypal: '68' } as const
/** Reasons of the code list VATEX. */
const REASON_CODES: Readonly<Record<VatTreatment['category'], string | null>> = {
  ...{ S: null, E: null },
  ...{ G: 'VATEX-EU-G', O: 'VATEX-EU-O' },
}

/**
 * A document in the structured form of the European standard EN 16931: UN/CEFACT Cross Industry Invoice, as Factur-X and ZUGFeRD put it
 * into a PDF. Everything was paid before it is issued, so nothing is due.
 * @param vat the document's
 */
export function structuredInvoice(content: InvoiceContent, vat: VatTreatment): string {
  const { number, kind, issuedOn, reason, paidOn, lines } = content
  const notes = [reason, `Paid on ${paidOn}.`]
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"' +
    ' xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"' +
    ' xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"' +
    ' xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100">' +
    '<rsm:ExchangedDocumentContext>' +
    element('GuidelineSpecifiedDocumentContextParameter', text('ID', 'urn:cen.eu:en16931:2017')) +
    '</rsm:ExchangedDocumentContext><rsm:ExchangedDocument>' +
    text('ID', number) +
    text('TypeCode', kind === 'invoice' ? INVOICE : CREDIT_NOTE) +
    `<ram:IssueDateTime><udt:DateTimeString format="102">${compactDay(issuedOn)}</udt:DateTimeString></ram:IssueDateTime>` +
    notes.map((note) => element('IncludedNote', text('Content', note))).join('') +
    '</rsm:ExchangedDocument><rsm:SupplyChainTradeTransaction>' +
    [...lines, ...protectionLine(content)].map((line, index) => lineXml(line, index + 1, vat)).join('') +
    agreement(content, vat) +
    delivery(content) +
    settlement(content, vat) +
    '</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>\n'
  )
}

/** What is collected for the printer's own tax is no tax of the seller, so it is a line of the invoice. */
const protectionLine = ({ amounts: { vatProtection } }: InvoiceContent): InvoiceLine[] =>
  vatProtection === ZERO
    ? []
    : [{ name: 'Country Consumption Tax', detail: null, quantity: 1, unitPrice: vatProtection }]

const lineXml = (line: InvoiceLine, position: number, vat: VatTreatment): string =>
  element(
    'IncludedSupplyChainTradeLineItem',
    element('AssociatedDocumentLineDocument', text('LineID', String(position))),
    element('SpecifiedTradeProduct', text('Name', line.name), text('Description', line.detail)),
    element(
      'SpecifiedLineTradeAgreement',
      element('NetPriceProductTradePrice', amount('ChargeAmount', line.unitPrice)),
    ),
    element('SpecifiedLineTradeDelivery', text('BilledQuantity', String(line.quantity), ' unitCode="C62"')),
    element(
      'SpecifiedLineTradeSettlement',
      element('ApplicableTradeTax', text('TypeCode', 'VAT'), text('CategoryCode', vat.category), rateOf(vat)),
      element('SpecifiedTradeSettlementLineMonetarySummation', amount('LineTotalAmount', netOfLine(line))),
    ),
  )

/** What is not subject to VAT has no rate. */
const rateOf = ({ category, rate }: VatTreatment): string =>
  category === 'O' ? '' : text('RateApplicablePercent', rate)

function agreement({ seller, buyer, orderNumber }: InvoiceContent, vat: VatTreatment): string {
  const isOutside = vat.category === 'O'
  return element(
    'ApplicableHeaderTradeAgreement',
    element(
      'SellerTradeParty',
      // Only what identifies it otherwise is missing.
      !seller.register && (isOutside || !seller.vatId) && text('ID', seller.taxNumber),
      text('Name', seller.name),
      element('SpecifiedLegalOrganization', text('ID', seller.register)),
      sellerAddress(seller),
      element('URIUniversalCommunication', text('URIID', seller.email, ' schemeID="EM"')),
      !isOutside && element('SpecifiedTaxRegistration', text('ID', seller.vatId, ' schemeID="VA"')),
      element('SpecifiedTaxRegistration', text('ID', seller.taxNumber, ' schemeID="FC"')),
    ),
    element(
      'BuyerTradeParty',
      isOutside && text('ID', buyer.taxNumber),
      text('Name', buyer.company ?? buyer.name),
      buyer.company !== null && element('DefinedTradeContact', text('PersonName', buyer.name)),
      buyerAddress(buyer.address),
      // A sale outside of VAT must not name VAT numbers (BR-O-02).
      !isOutside && element('SpecifiedTaxRegistration', text('ID', buyer.taxNumber, ' schemeID="VA"')),
    ),
    element('SellerOrderReferencedDocument', text('IssuerAssignedID', orderNumber)),
  )
}

const sellerAddress = ({ street, postalCode, city, state, country }: InvoiceSeller): string =>
  element(
    'PostalTradeAddress',
    text('PostcodeCode', postalCode),
    text('LineOne', street),
    text('CityName', city),
    text('CountryID', country),
    text('CountrySubDivisionName', state),
  )

const buyerAddress = ({ line1, line2, city, state, postalCode, country }: Address): string =>
  element(
    'PostalTradeAddress',
    text('PostcodeCode', postalCode),
    text('LineOne', line1),
    text('LineTwo', line2),
    text('CityName', city),
    text('CountryID', country),
    text('CountrySubDivisionName', state),
  )

const delivery = ({ deliveredTo: { city, country } }: InvoiceContent): string =>
  element(
    'ApplicableHeaderTradeDelivery',
    element('ShipToTradeParty', element('PostalTradeAddress', text('CityName', city), text('CountryID', country))),
  )

function settlement({ amounts, corrects, euroTax, paidWith }: InvoiceContent, vat: VatTreatment): string {
  const { net, tax, vatProtection } = amounts
  const total = totalOfAmounts(amounts)
  const basis = plus(net, vatProtection)
  assert(tax === ZERO || vat.category === 'S', 'tax of a document without VAT')
  return element(
    'ApplicableHeaderTradeSettlement',
    euroTax !== null && text('TaxCurrencyCode', 'EUR'),
    text('InvoiceCurrencyCode', 'USD'),
    element('SpecifiedTradeSettlementPaymentMeans', text('TypeCode', MEANS[paidWith])),
    element(
      'ApplicableTradeTax',
      amount('CalculatedAmount', tax),
      text('TypeCode', 'VAT'),
      text('ExemptionReason', vat.reason),
      amount('BasisAmount', basis),
      text('CategoryCode', vat.category),
      text('ExemptionReasonCode', REASON_CODES[vat.category]),
      rateOf(vat),
    ),
    element(
      'SpecifiedTradeSettlementHeaderMonetarySummation',
      amount('LineTotalAmount', basis),
      amount('TaxBasisTotalAmount', basis),
      amount('TaxTotalAmount', tax, ' currencyID="USD"'),
      euroTax !== null && text('TaxTotalAmount', euroTax.amount, ' currencyID="EUR"'),
      amount('GrandTotalAmount', total),
      amount('TotalPrepaidAmount', total),
      amount('DuePayableAmount', ZERO),
    ),
    corrects !== null &&
      element(
        'InvoiceReferencedDocument',
        text('IssuerAssignedID', corrects.number),
        `<ram:FormattedIssueDateTime><qdt:DateTimeString format="102">${compactDay(corrects.day)}</qdt:DateTimeString></ram:FormattedIssueDateTime>`,
      ),
  )
}
