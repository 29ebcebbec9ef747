import { addressMatch, usesOf, utcText, type DisputePack } from '#domain/payments/dispute-pack.ts'
import { formatUsd } from '#shared/money.ts'
import { LEFT, openPaper, RIGHT } from '#server/files/pdf.ts'

const COLUMN_X = 320
const COLUMN_WIDTH = 230
const VALUE_X = LEFT + 128
const AMOUNT_ROW = 15

/** The evidence of a dispute as a PDF for a bank, a few pages long. @param madeAt shown in it */
export async function disputePaper(pack: DisputePack, madeAt: Date, email: string, logo?: Buffer): Promise<Buffer> {
  const { dispute, customer, terms, giftCard } = pack
  const title = pack.subject
  const paper = await openPaper({
    ...{ shopName: pack.shopName, logo, title: `Evidence for ${dispute.id}`, heading: 'Evidence', madeAt },
  })
  const gray = { size: 9, isGray: true }

  const heading = (text: string, needed = 40) => {
    paper.down(16, needed)
    paper.text(text, LEFT, { size: 12, isBold: true })
    paper.down(6)
    paper.rule(0.5)
    paper.down(16)
  }
  /** A name at the left, and a text that may take several lines. */
  const row = (name: string, text: string) => {
    const lines = text.split('\n').flatMap((line) => paper.wrap(line, 10, RIGHT - VALUE_X))
    const names = paper.wrap(name, 9, VALUE_X - LEFT - 12)
    for (let index = 0; index < Math.max(lines.length, names.length); index += 1) {
      paper.down(0, 14)
      paper.text(names[index] ?? '', LEFT, gray)
      paper.text(lines[index] ?? '', VALUE_X)
      paper.move(13)
    }
    paper.move(3)
  }
  const sentence = (text: string) => {
    for (const line of paper.wrap(text, 10, RIGHT - LEFT)) {
      paper.down(0, 14)
      paper.text(line, LEFT)
      paper.move(13)
    }
    paper.move(3)
  }

  row('Dispute', `${dispute.id} at ${dispute.provider}${dispute.reason ? `, ${dispute.reason}` : ''}`)
  row('Disputed', `${formatUsd(dispute.amount)}, opened ${utcText(dispute.openedAt)}`)
  row('Bought', `${pack.subject}, ordered and paid ${utcText(pack.placedAt)}`)
  row('Customer', [customer.name, customer.email, customer.phone].filter(Boolean).join(', '))

  heading('What was bought')
  for (const { name, quantity, unitPrice } of pack.lines) row(`${quantity} × ${formatUsd(unitPrice)}`, name)
  for (const { name, amount } of pack.amounts) {
    paper.down(0, AMOUNT_ROW)
    paper.text(name, VALUE_X, gray)
    paper.text(formatUsd(amount), RIGHT, { isRight: true, isBold: name === 'Total' })
    paper.move(AMOUNT_ROW)
  }

  const addresses = () => {
    heading('Addresses and checks', 110)
    const parties = [
      { title: 'Sent to', lines: pack.shippingAddress },
      { title: 'Bill', lines: pack.billingAddress.length ? pack.billingAddress : ['The same'] },
    ].map((party) => ({ ...party, lines: party.lines.flatMap((line) => paper.wrap(line, 10, COLUMN_WIDTH)) }))
    parties.forEach(({ title: name }, index) => paper.text(name, index === 0 ? LEFT : COLUMN_X, gray))
    paper.down(14)
    for (let index = 0; index < Math.max(...parties.map(({ lines }) => lines.length)); index += 1) {
      parties.forEach(({ lines }, column) => paper.text(lines[index] ?? '', column === 0 ? LEFT : COLUMN_X))
      paper.down(13)
    }
    paper.move(4)
    sentence(addressMatch(pack))
  }
  const delivery = () => {
    heading('Terms')
    if (terms) {
      row('Accepted', `Version ${terms.version}, at checkout, ${utcText(terms.acceptedAt)}`)
      if (terms.urls.length) row('As shown then', terms.urls.join('\n'))
    } else sentence('This order was taken without asking for the terms.')

    heading('Delivery')
    if (pack.parcels.length === 0) sentence('Nothing has shipped yet.')
    for (const parcel of pack.parcels) {
      row('Carrier', [parcel.carrier, parcel.trackingNumber].filter(Boolean).join(', '))
      if (parcel.trackingUrl) row('Tracking', parcel.trackingUrl)
      row('Shipped', utcText(parcel.shippedAt))
      if (parcel.deliveredAt) row('Delivered', `${utcText(parcel.deliveredAt)}, as the carrier reported`)
      for (const { at, text, place } of parcel.events.toReversed())
        row(utcText(at), [text, place].filter(Boolean).join(', '))
      paper.move(6)
    }
  }
  const contacts = () => {
    heading('Visits of the order’s page')
    sentence(
      pack.visits.length === 0
        ? 'Nobody has opened it by the link in our emails.'
        : 'The page shows the order, its parcels and a form for problems. The signed link in our emails, sent to the customer’s address alone, opened it in these hours:',
    )
    const days = Map.groupBy(pack.visits, (hour) => hour.slice(0, 10))
    for (const [day, hours] of days) row(day, `${hours.map((hour) => hour.slice(11, 16)).join(', ')} UTC`)

    heading('Conversation')
    if (pack.conversation.length === 0) sentence('The customer has not written to us about this order.')
    for (const { by, at, words } of pack.conversation) row(`${utcText(at)}, ${by}`, words)
  }

  if (giftCard) {
    heading('Delivery and use')
    if (!giftCard.sentAt) sentence('Its code was not emailed yet.')
    for (const text of usesOf(giftCard)) sentence(text)
    if (pack.checks.length) heading('Checks')
  } else addresses()
  for (const { name, result } of pack.checks) row(name, result)
  if (!giftCard) delivery()

  heading('Emails to the customer')
  if (pack.mails.length === 0) sentence('None.')
  for (const { subject, sentAt } of pack.mails) row(utcText(sentAt), subject)
  if (!giftCard) contacts()

  heading('Refunds')
  if (pack.refunds.length === 0) sentence('None.')
  for (const { amount, status, at, providerId } of pack.refunds)
    row(utcText(at), [formatUsd(amount), status, providerId].filter(Boolean).join(', '))

  return paper.finish(email, (page, pages) => (pages > 1 ? `${title}, page ${page} of ${pages}` : title))
}
