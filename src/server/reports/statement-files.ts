import { Readable } from 'node:stream'
import type { Statement, StatementKind } from '#contract/earnings.ts'
import { closingLabels, commissionLabels } from '#domain/partners/labels.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { cents, formatUsd, negate } from '#shared/money.ts'
import { timeZoneLabel } from '#shared/calendar-day.ts'
import { nameOfMonth } from '#shared/month.ts'
import { LEFT, openPaper, RIGHT } from '#server/files/pdf.ts'
import { WORKBOOK_TYPE, writeWorkbook, type Row } from '#server/files/workbook.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { findClosedStatement } from '#server/ledger/month-closings.ts'
import { readPaperLogo } from '#server/pictures/pictures.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import type { Partner } from '#server/partners/partner.ts'
import { commissionProof } from './commission-proof.ts'
import { readStatement, spanOfMonth, walkStatement } from './statement.ts'

const COLUMNS = { day: LEFT, order: LEFT + 62, what: LEFT + 132, base: 408, rate: 462, amount: RIGHT } as const
const WHAT_WIDTH = 216
/** Limits the PDF; the workbook has every line. */
const LINES_ON_PAPER = 500

/** The statement's sums in the order that the PDF and workbook show them. */
const sumsOf = (statement: Statement) =>
  [
    ['Opening balance', statement.opening],
    ['Earned on sales', statement.earned],
    ['Refunds and disputes', statement.takenBack],
    ['Paid out', negate(statement.paidOut)],
    ['Returned payouts', statement.paidBack],
  ] as const

const types: Record<StatementKind, string> = {
  pdf: 'application/pdf',
  xlsx: WORKBOOK_TYPE,
  html: 'text/html; charset=utf-8',
}

type Wanted = { month: string; kind: StatementKind }

/** A statement; of a closed month the one that was frozen then. @throws Refusal `unknown_statement` */
export async function statementFile(
  shop: Needs<'db' | 'clock' | 'config'>,
  partner: Partner,
  { month, kind }: Wanted,
): Promise<FileAnswer> {
  const frozen = await findClosedStatement(shop.db, month, { partnerId: partner.id, kind })
  if (!frozen) return makeStatementFile(shop, partner, { month, kind })
  return { name: nameOf({ month, kind }), type: types[kind], bytes: Readable.from([frozen]) }
}

const nameOf = ({ month, kind }: Wanted): string => `commission-${month}.${kind}`

/** A statement as of now. @throws Refusal `unknown_statement` */
export async function makeStatementFile(
  shop: Needs<'db' | 'clock' | 'config'>,
  partner: Partner,
  { month, kind }: Wanted,
): Promise<FileAnswer> {
  await spanOfMonth(shop, month)
  const make = { pdf: statementPdf, xlsx: statementWorkbook, html: commissionProof }
  const made = await make[kind](shop, partner, month)
  return {
    name: nameOf({ month, kind }),
    type: types[kind],
    bytes: made instanceof Readable ? made : Readable.from([made]),
  }
}

/** A month's statement as a PDF. Shoppers appear only as order numbers. */
async function statementPdf(shop: Needs<'db' | 'clock' | 'config'>, partner: Partner, month: string): Promise<Buffer> {
  const statement = await readStatement(shop, partner, month, undefined, LINES_ON_PAPER)
  const timeZone = statement.timeZone
  const dayName = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone })
  const fullName = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone })
  const site = await readSiteSettingsCached(shop.db)
  const paper = await openPaper({
    shopName: site.name,
    logo: await readPaperLogo(shop.db, site.logo),
    title: `Commission ${month} - ${site.name}`,
    heading: 'Commission statement',
    madeAt: new Date(statement.madeAt),
  })
  paper.fact('Partner', statement.displayName)
  paper.fact('Month', nameOfMonth(month))
  paper.fact('Time zone', timeZoneLabel(timeZone))
  paper.fact('Created on', fullName.format(new Date(statement.madeAt)))

  paper.down(12)
  paper.rule(0.5)
  paper.down(20)
  for (const [name, amount] of sumsOf(statement)) {
    paper.text(name, LEFT, { size: 10.5 })
    paper.text(formatUsd(amount), RIGHT, { size: 10.5, isRight: true })
    paper.down(17)
  }
  paper.down(2)
  paper.text(`${closingLabels(statement.isOver)}, USD`, LEFT, { size: 12, isBold: true })
  paper.text(formatUsd(statement.closing), RIGHT, { size: 12, isBold: true, isRight: true })
  paper.down(30)
  for (const { reference, amount, madeAt, returnedAt } of statement.payouts) {
    const back = returnedAt ? `, returned by the bank on ${fullName.format(new Date(returnedAt))}` : ''
    const text = `Payout ${reference} of ${formatUsd(amount)} on ${fullName.format(new Date(madeAt))}${back}`
    paper.text(text, LEFT, { size: 9, isGray: true })
    paper.down(14)
  }

  const head = () => {
    const style = { size: 9, isGray: true }
    paper.text('Date', COLUMNS.day, style)
    paper.text('Order', COLUMNS.order, style)
    paper.text('Description', COLUMNS.what, style)
    paper.text('Item total', COLUMNS.base, { ...style, isRight: true })
    paper.text('Rate', COLUMNS.rate, { ...style, isRight: true })
    paper.text('Commission', COLUMNS.amount, { ...style, isRight: true })
    paper.move(8)
    paper.rule(0.5)
    paper.move(16)
  }
  paper.down(14, 60)
  head()
  if (!statement.lines.length) paper.text('No commission this month.', LEFT)
  for (const { at, orderNumber, kind, productName, base, rate, amount } of statement.lines) {
    const what = paper.wrap(`${commissionLabels[kind]}: ${productName}`, 9, WHAT_WIDTH)
    if (paper.down(0, what.length * 12)) head()
    paper.text(dayName.format(new Date(at)), COLUMNS.day, { size: 9 })
    paper.text(formatOrderNumber(orderNumber), COLUMNS.order, { size: 9 })
    paper.text(formatUsd(base), COLUMNS.base, { size: 9, isRight: true })
    paper.text(formatRate(rate), COLUMNS.rate, { size: 9, isRight: true })
    paper.text(formatUsd(amount), COLUMNS.amount, { size: 9, isRight: true })
    for (const text of what) {
      paper.text(text, COLUMNS.what, { size: 9 })
      paper.move(12)
    }
    paper.move(3)
  }
  if (statement.hasMore) {
    paper.down(10, 20)
    const text = `First ${LINES_ON_PAPER} lines only. The totals above include all lines; this month’s workbook lists them.`
    paper.text(text, LEFT, { size: 9, isGray: true })
  }
  return paper.finish(site.businessEmail, (page, pages) => `${month}, page ${page} of ${pages}`)
}

/** A month's statement as a workbook with sums, payouts and every line. */
async function statementWorkbook(
  shop: Needs<'db' | 'clock' | 'config'>,
  partner: Partner,
  month: string,
): Promise<Readable> {
  const statement = await readStatement(shop, partner, month, undefined, 1)
  return writeWorkbook({
    title: `Commission ${nameOfMonth(month)}`,
    timeZone: statement.timeZone,
    cover: (totals) => {
      const booked = totals.find(({ name }) => name === 'Lines')?.sums.get('Commission') ?? 0
      return [
        { label: 'Partner', value: statement.displayName },
        { label: 'Month', value: nameOfMonth(month) },
        { label: 'Time zone', value: statement.timeZone },
        { label: 'Currency', value: 'USD' },
        { label: 'Created at', value: statement.madeAt },
        ...sumsOf(statement).map(([label, money]) => ({ label, money })),
        { label: closingLabels(statement.isOver), money: statement.closing },
        { label: 'Check' },
        { label: 'Sum of all lines', money: cents(booked) },
      ]
    },
    sheets: [
      {
        name: 'Lines',
        columns: [
          { title: 'Booked at', kind: 'moment' },
          { title: 'Order', kind: 'text', width: 13 },
          { title: 'Description', kind: 'text', width: 26 },
          { title: 'Product', kind: 'text', width: 44 },
          { title: 'Item total', kind: 'money', isSummed: true },
          { title: 'Rate', kind: 'text', width: 9 },
          { title: 'Commission', kind: 'money', isSummed: true },
        ],
        rows: linesOf(shop, partner, month),
      },
      {
        name: 'Payouts',
        columns: [
          { title: 'Reference', kind: 'text' },
          { title: 'Paid at', kind: 'moment' },
          { title: 'Returned at', kind: 'moment' },
          { title: 'Amount', kind: 'money', isSummed: true },
        ],
        rows: statement.payouts.map(({ reference, madeAt, returnedAt, amount }) => [
          reference,
          new Date(madeAt),
          returnedAt ? new Date(returnedAt) : null,
          amount,
        ]),
      },
    ],
  })
}

async function* linesOf(shop: Needs<'db' | 'clock' | 'config'>, partner: Partner, month: string): AsyncGenerator<Row> {
  for await (const { at, orderNumber, kind, productName, base, rate, amount } of walkStatement(shop, partner, month))
    yield [at, formatOrderNumber(orderNumber), commissionLabels[kind], productName, base, formatRate(rate), amount]
}
