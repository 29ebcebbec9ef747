import type { OrderId } from '#shared/ids.ts'

/** A posting as it is sealed. */
export type SealedPosting = {
  id: number
  kind: string
  key: string
  orderId: OrderId | null
  paymentKey: string | null
  partnerId: number | null
  bookedAt: Date
  entries: readonly { account: string; amount: number }[]
  /** For commission: what it was computed from. */
  lines: readonly CommissionLine[]
}

/** `base`, `amount`: signed cents. `rate`: basis points. */
export type CommissionLine = { position: number; productId: number; base: number; rate: number; amount: number }

/** SHA-256 as 64 lowercase hexadecimal digits. */
export type Hash = (text: string) => string

/** Postings sealed together. The hash contains the seal before, so it stands for the whole ledger until then. */
export type Seal = { number: number; sealedAt: Date; root: string; hash: string }

/** A step from a posting to its seal's root: the hash beside it, and on which side that stands. */
export type PathStep = { side: 'left' | 'right'; hash: string }

/** What the first seal contains as the one before, and the root of a seal without postings. */
export const NOTHING = '0'.repeat(64)

/**
 * The text of a posting that is hashed; entries and lines are in a fixed order. Partners read those of their own postings, so ids, which
 * would reveal how much the shop sells, and the payment stand in it as one hash.
 */
export function textOf(hash: Hash, posting: SealedPosting): string {
  const { id, kind, key, orderId, paymentKey, partnerId, bookedAt, entries, lines } = posting
  return JSON.stringify([
    ...[hash(JSON.stringify([id, key, orderId, paymentKey, partnerId])), kind, bookedAt.toISOString()],
    entries
      .map(({ account, amount }) => [account, amount] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    lines
      .toSorted((one, other) => one.position - other.position)
      .map(({ position, productId, base, rate, amount }) => [position, productId, base, rate, amount]),
  ])
}

/** The prefixes keep a posting's text from passing as a pair of hashes (RFC 6962, section 2.1). */
export const leafOf = (hash: Hash, text: string): string => hash(`posting ${text}`)
const pairOf = (hash: Hash, left: string, right: string): string => hash(`pair ${left} ${right}`)

/** The rows of a tree from the leaves to its root; the last one of an odd row moves up as it is. */
function rowsOf(hash: Hash, leaves: readonly string[]): string[][] {
  const rows = [[...leaves]]
  for (let row = rows[0] ?? []; row.length > 1;) {
    const above: string[] = []
    for (let at = 0; at < row.length; at += 2) {
      const [left = '', right] = row.slice(at, at + 2)
      above.push(right === undefined ? left : pairOf(hash, left, right))
    }
    rows.push(above)
    row = above
  }
  return rows
}

/** A posting's hash, and the partner whose commission it books. */
export type Leaf = { hash: string; partnerId: number | null }

/**
 * One hash that stands for postings in their order. Each partner's have a tree of their own, so that a path through it reveals no
 * count of others.
 */
export function rootOf(hash: Hash, leaves: readonly Leaf[]): string {
  const roots = groupsOf(leaves).map(([, own]) => topOf(rowsOf(hash, own)))
  return topOf(rowsOf(hash, roots))
}

/** The paths from a partner's postings, in their order, to the root of all. */
export function pathsOf(hash: Hash, leaves: readonly Leaf[], partnerId: number): PathStep[][] {
  const groups = groupsOf(leaves)
  const rows = groups.map(([, own]) => rowsOf(hash, own))
  const at = groups.findIndex(([owner]) => owner === partnerId)
  const toRoot = pathIn(rowsOf(hash, rows.map(topOf)), at)
  return (groups[at]?.[1] ?? []).map((_leaf, position) => [...pathIn(rows[at] ?? [], position), ...toRoot])
}

const topOf = (rows: readonly string[][]): string => rows.at(-1)?.[0] ?? NOTHING

const groupsOf = (leaves: readonly Leaf[]): [owner: number | null, hashes: string[]][] =>
  [...Map.groupBy(leaves, ({ partnerId }) => partnerId)]
    .map(([owner, own]): [number | null, string[]] => [owner, own.map((leaf) => leaf.hash)])
    .toSorted(([one], [other]) => (one ?? 0) - (other ?? 0))

const pathIn = (rows: readonly string[][], position: number): PathStep[] =>
  rows.slice(0, -1).flatMap((row, height): PathStep[] => {
    const at = position >> height
    const beside = row[at ^ 1]
    return beside === undefined ? [] : [{ side: at % 2 ? 'left' : 'right', hash: beside }]
  })

/** The root that a leaf and its path lead to. */
export const followPath = (hash: Hash, leaf: string, path: readonly PathStep[]): string =>
  path.reduce((at, step) => (step.side === 'left' ? pairOf(hash, step.hash, at) : pairOf(hash, at, step.hash)), leaf)

export const hashOfSeal = (hash: Hash, previous: string, seal: Omit<Seal, 'hash'>): string =>
  hash(`seal ${seal.number} ${previous} ${seal.sealedAt.toISOString()} ${seal.root}`)
