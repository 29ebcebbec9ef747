import type { Cents } from '#shared/money.ts'
import type { Month } from '#shared/month.ts'
import type { Hash } from './seal.ts'

/** An account's balance before a month, and what the month added to it. */
export type AccountFigure = { account: string; opening: Cents; change: Cents }

/** A file that was frozen with a month. @param partnerId whose statement it is */
type ClosedFile = { name: string; partnerId: number | null; hash: string }

/** From `from` (included) to `until` (excluded). */
export type MonthSpan = { month: Month; from: Date; until: Date }

export const closingKinds = ['closed', 'reopened'] as const

/** A month was closed, or reopened by a counter-entry, which has no figures or files. Never changed afterward. */
export type Closing = MonthSpan & {
  /** From 1, without gaps. */
  number: number
  kind: (typeof closingKinds)[number]
  at: Date
  /** Of a counter-entry. */
  reason: string | null
  /** The last seal of the ledger then. */
  seal: { number: number; hash: string }
  figures: readonly AccountFigure[]
  files: readonly ClosedFile[]
}

/** The closed months, earliest first. A counter-entry takes back the last one. @param closings all, by number */
export function standingOf<Row extends Pick<Closing, 'kind'>>(closings: readonly Row[]): Row[] {
  const standing: Row[] = []
  for (const closing of closings)
    if (closing.kind === 'closed') standing.push(closing)
    else standing.pop()
  return standing
}

/** One hash that stands for a month's figures and files. */
export const rootOfMonth = (
  hash: Hash,
  { month, from, until, figures, files }: Pick<Closing, 'month' | 'from' | 'until' | 'figures' | 'files'>,
): string =>
  hash(
    `month ${JSON.stringify([
      ...[month, from.toISOString(), until.toISOString()],
      figures.map(({ account, opening, change }) => [account, opening, change]),
      files.map((file) => [file.name, file.partnerId, file.hash]).toSorted(byName),
    ])}`,
  )

const byName = ([one]: readonly unknown[], [other]: readonly unknown[]): number =>
  String(one) < String(other) ? -1 : 1

/** Contains the closing before and the ledger's last seal, so it stands for all that was closed until then. */
export const hashOfClosing = (hash: Hash, previous: string, closing: Closing): string =>
  hash(
    `closing ${JSON.stringify([
      ...[closing.number, previous, closing.kind, closing.at.toISOString(), closing.reason],
      ...[closing.seal.number, closing.seal.hash, rootOfMonth(hash, closing)],
    ])}`,
  )
