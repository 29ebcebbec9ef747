import { Readable } from 'node:stream'
import type { AdminGiftCard } from '#contract/admin-gift-cards.ts'
import { shownStateOf } from '#domain/gift-cards/gift-card.ts'
import { decimalFromCents, negate, sum, ZERO, type Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { csvCell } from '#server/files/csv.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { listMovementsOf, selectGiftCards, sumMovements, type GiftCard, type StoredMovement } from './store.ts'

const CARDS_A_PAGE = 50

/** A page of cards, newest first, with the totals of all. */
export async function listGiftCards(
  db: Reader,
  { search, older }: { search?: string | undefined; older?: number | undefined },
): Promise<{
  cards: AdminGiftCard[]
  hasMore: boolean
  totals: Record<'issued' | 'used' | 'returned' | 'voided' | 'open', Cents>
}> {
  const found = await selectGiftCards(db, { search: search?.trim(), olderThan: older, limit: CARDS_A_PAGE + 1 })
  const cards = found.slice(0, CARDS_A_PAGE)
  const movements = Map.groupBy(await listMovementsOf(db, cards), ({ giftCardId }) => giftCardId)
  const moved = await sumMovements(db)
  return {
    cards: cards.map((card) => shown(card, movements.get(card.id) ?? [])),
    hasMore: found.length > CARDS_A_PAGE,
    totals: {
      issued: moved.get('issue') ?? ZERO,
      used: negate(moved.get('use') ?? ZERO),
      returned: moved.get('return') ?? ZERO,
      voided: negate(moved.get('void') ?? ZERO),
      open: sum([...moved.values()]),
    },
  }
}

const shown = (card: GiftCard, movements: readonly StoredMovement[]): AdminGiftCard => ({
  ...{
    id: card.id,
    lastFour: card.lastFour,
    state: shownStateOf(card),
    issued: card.issuedCents,
    balance: card.balanceCents,
  },
  ...{ reason: card.reason, email: card.recipientEmail, createdAt: card.createdAt.toISOString() },
  lost: card.lostCents,
  movements: movements.map(({ kind, amountCents: amount, orderNumber, movedAt }) => ({
    ...{ kind, amount, orderNumber, at: movedAt.toISOString() },
  })),
})

/** Who bought some of these cards, by card. */
type BuyersOf = (cards: readonly AdminGiftCard[]) => Promise<ReadonlyMap<number, { buyer: string }>>

/** All cards as CSV. Texts are escaped so that spreadsheets do not read them as formulas. */
export const giftCardFile = (db: Reader, buyersOf: BuyersOf): FileAnswer => ({
  name: 'gift-cards.csv',
  type: 'text/csv; charset=utf-8',
  bytes: Readable.from(rowsOf(db, buyersOf)),
})

async function* rowsOf(db: Reader, buyersOf: BuyersOf): AsyncGenerator<string> {
  yield 'Number,Code ends with,State,Given,Issued,Used,Returned,Voided,Open,Currency,Email,Paid by,Reason\r\n'
  for (let older: number | undefined; ;) {
    const { cards, hasMore } = await listGiftCards(db, { older })
    const buyers = await buyersOf(cards)
    for (const { id, lastFour, state, createdAt, issued, balance, email, reason, movements } of cards) {
      const of = (wanted: string) =>
        decimalFromCents(
          Math.abs(sum(movements.flatMap(({ kind, amount }) => (kind === wanted ? [amount] : [])))) as Cents,
        )
      yield `${[
        ...[id, csvCell(lastFour), state, createdAt, decimalFromCents(issued), of('use'), of('return'), of('void')],
        ...[
          decimalFromCents(balance),
          'USD',
          csvCell(email ?? ''),
          csvCell(buyers.get(id)?.buyer ?? ''),
          csvCell(reason),
        ],
      ].join(',')}\r\n`
    }
    if (!hasMore) return
    older = cards.at(-1)?.id
  }
}
