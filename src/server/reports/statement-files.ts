import { Readable } from 'node:stream'
import { label } from '#site/label.ts'
import type { Statement } from '#contract/earnings.ts'
import { closingLabels, commissionLabels } from '#domain/partners/labels.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { cents, formatUsd, negate } from '#shared/money.ts'
import { timeZoneLabel } from '#shared/calendar-day.ts'
import { PAGE, pdfOf, widthOf, wrapText, toPrintable, type Mark } from '#server/files/pdf.ts'
import { WORKBOOK_TYPE, writeWorkbook, type Row } from '#server/files/workbook.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import type { Partner } from '#server/partners/partner.ts'
import { readStatement, spanOfMonth, walkStatement } from './statement.ts'

const LEFT = 56
const RIGHT = PAGE.width - LEFT
const BOTTOM = PAGE.height - 84
const COLUMNS = { day: LEFT, order: LEFT + 62, what: LEFT + 132, base: 408, rate: 462, amount: RIGHT } as const
const WHAT_WIDTH = 216
/** Limits the PDF; the workbook has every line. */
const LINES_ON_PAPER = 500

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

const nameOfMonth = (month: string): string => monthName.format(new Date(`${month}-15T12:00:00Z`))

/** The statement's sums in the order that the PDF and workbook show them. */
const sumsOf = (statement: Statement) =>
  [
    ['Opening balance', statement.opening],
    ['Earned on sales', statement.earned],
    ['Refunds and disputes', statement.takenBack],
    ['Paid out', negate(statement.paidOut)],
    ['Returned payouts', statement.paidBack],
  ] as const

/** @throws Refusal `unknown_statement` */
export async function statementFile(
  shop: Needs<'db' | 'clock' | 'config'>,
  partner: Partner,
  { month, kind }: { month: string; kind: 'pdf' | 'xlsx' },
): Promise<FileAnswer> {
  spanOfMonth(shop, month)
  const name = `commission-${month}.${kind}`
  return kind === 'pdf'
    ? { name, type: 'application/pdf', bytes: Readable.from([await statementPdf(shop, partner, month)]) }
    : { name, type: WORKBOOK_TYPE, bytes: await statementWorkbook(shop, partner, month) }
}

/** A month's statement as a PDF. Shoppers appear only as order numbers. */
async function statementPdf(shop: Needs<'db' | 'clock' | 'config'>, partner: Partner, month: string): Promise<Buffer> {
  const statement = await readStatement(shop, partner, month, undefined, LINES_ON_PAPER)
  const timeZone = statement.timeZone
  const dayName = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone })
  const fullName = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone })
  const pages: Mark[][] = [[]]
  let y = 78
  const draw = (...marks: Mark[]) => pages.at(-1)?.push(...marks)
  const rule = (thickness: number) => draw({ rule: true, x: LEFT, y, width: RIGHT - LEFT, thickness })
  const down = (by: number, needed = 0): boolean => {
    y += by
    if (y + needed <= BOTTOM) return false
    pages.push([])
    y = 72
    return true
  }

  draw({ text: label.name, x: LEFT, y, size: 26, font: 'serif' })
  draw({ text: 'Commission statement', x: RIGHT, y, size: 16, right: true })
  down(14)
  rule(1.4)
  down(32)
  const facts = [
    ['Partner', toPrintable(statement.displayName) ?? ''],
    ['Month', nameOfMonth(month)],
    ['Time zone', timeZoneLabel(timeZone)],
    ['Created on', fullName.format(new Date(statement.madeAt))],
  ] as const
  for (const [name, value] of facts) {
    draw({ text: name, x: LEFT, y, size: 10, gray: true }, { text: value, x: LEFT + 96, y, size: 10, font: 'bold' })
    down(17)
  }

  down(12)
  rule(0.5)
  down(20)
  for (const [name, amount] of sumsOf(statement)) {
    draw({ text: name, x: LEFT, y, size: 10.5 }, { text: formatUsd(amount), x: RIGHT, y, size: 10.5, right: true })
    down(17)
  }
  down(2)
  const closing = formatUsd(statement.closing)
  draw(
    { text: `${closingLabels(statement.isOver)}, USD`, x: LEFT, y, size: 12, font: 'bold' },
    { text: closing, x: RIGHT - widthOf(closing, 12) - 1, y, size: 12, font: 'bold' },
  )
  down(30)
  for (const { reference, amount, madeAt, returnedAt } of statement.payouts) {
    const back = returnedAt ? `, returned by the bank on ${fullName.format(new Date(returnedAt))}` : ''
    const text = `Payout ${reference} of ${formatUsd(amount)} on ${fullName.format(new Date(madeAt))}${back}`
    draw({ text, x: LEFT, y, size: 9, gray: true })
    down(14)
  }

  const head = () => {
    draw(
      { text: 'Date', x: COLUMNS.day, y, size: 9, gray: true },
      { text: 'Order', x: COLUMNS.order, y, size: 9, gray: true },
      { text: 'Description', x: COLUMNS.what, y, size: 9, gray: true },
      { text: 'Item total', x: COLUMNS.base, y, size: 9, gray: true, right: true },
      { text: 'Rate', x: COLUMNS.rate, y, size: 9, gray: true, right: true },
      { text: 'Commission', x: COLUMNS.amount, y, size: 9, gray: true, right: true },
    )
    y += 8
    rule(0.5)
    y += 16
  }
  down(14, 60)
  head()
  if (!statement.lines.length) draw({ text: 'No commission this month.', x: LEFT, y, size: 10 })
  for (const { at, orderNumber, kind, productName, base, rate, amount } of statement.lines) {
    const what = wrapText(`${commissionLabels[kind]}: ${toPrintable(productName) ?? ''}`, 9, WHAT_WIDTH)
    if (down(0, what.length * 12)) head()
    draw(
      { text: dayName.format(new Date(at)), x: COLUMNS.day, y, size: 9 },
      { text: formatOrderNumber(orderNumber), x: COLUMNS.order, y, size: 9 },
      { text: formatUsd(base), x: COLUMNS.base, y, size: 9, right: true },
      { text: formatRate(rate), x: COLUMNS.rate, y, size: 9, right: true },
      { text: formatUsd(amount), x: COLUMNS.amount, y, size: 9, right: true },
    )
    for (const text of what) {
      draw({ text, x: COLUMNS.what, y, size: 9 })
      y += 12
    }
    y += 3
  }
  if (statement.hasMore) {
    down(10, 20)
    const text = `First ${LINES_ON_PAPER} lines only. The totals above include all lines; this month’s workbook lists them.`
    draw({ text, x: LEFT, y, size: 9, gray: true })
  }
  for (const [index, marks] of pages.entries()) {
    const foot = PAGE.height - 46
    marks.push({ rule: true, x: LEFT, y: foot - 16, width: RIGHT - LEFT, thickness: 0.5 })
    marks.push({ text: `${label.name} · ${label.businessEmail}`, x: LEFT, y: foot, size: 9, gray: true })
    marks.push({
      text: `${month}, page ${index + 1} of ${pages.length}`,
      x: RIGHT,
      y: foot,
      size: 9,
      gray: true,
      right: true,
    })
  }
  return pdfOf({ title: `Commission ${month} - ${label.name}`, pages })
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
