import { desc, eq, lt } from 'drizzle-orm'
import type { RedirectRow } from '#contract/admin-imports.ts'
import { followRedirects, parseAddress } from '#domain/catalog/redirects.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { redirect } from './schema.ts'

const A_PAGE = 100
/** All are read when a file is imported. */
const REDIRECTS_MAX = 200_000
const ROWS_AT_ONCE = 2000

/** Both as `parseAddress` writes paths. */
export type RedirectPaths = { from: string; to: string }

/**
 * Where an old address leads: one of our paths, never another host's.
 * @param path of an address that no page answers
 */
export async function findRedirect(db: Reader, path: string): Promise<string | undefined> {
  const parsed = parseAddress(path)
  if (!parsed) return undefined
  return followRedirects(parsed.path, async (from) => {
    const [found] = await db.select({ to: redirect.toPath }).from(redirect).where(eq(redirect.fromPath, from))
    return found?.to
  })
}

/**
 * Why a redirect cannot be, in a sentence; undefined if it can.
 * @param next the other redirects
 */
async function objectionTo(
  { from, to }: RedirectPaths,
  next: (path: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (from === to) return 'This address would lead to itself.'
  const passed = new Set<string>()
  for (let at: string | undefined = to; at !== undefined && !passed.has(at); at = await next(at)) {
    passed.add(at)
    if (at === from) return 'This address would lead back to itself.'
  }
  return undefined
}

/**
 * Adds redirects, for areas that change addresses. Those that exist stay as they are, so the owner's own win.
 * @returns for each what became of it
 */
export async function addRedirects(
  tx: Tx,
  wanted: readonly RedirectPaths[],
  now: Date,
): Promise<('added' | 'unchanged' | { objection: string })[]> {
  const known = new Map(
    (await tx.select({ from: redirect.fromPath, to: redirect.toPath }).from(redirect)).map(({ from, to }) => [
      from,
      to,
    ]),
  )
  const next = async (path: string) => known.get(path)
  const rows: (typeof redirect.$inferInsert)[] = []
  const outcomes: ('added' | 'unchanged' | { objection: string })[] = []
  for (const { from, to } of wanted) {
    const before = known.get(from)
    const objection =
      before !== undefined && before !== to
        ? `This address already leads to ${before}. Remove that redirect first to change it.`
        : await objectionTo({ from, to }, next)
    if (before === to) outcomes.push('unchanged')
    else if (objection !== undefined) outcomes.push({ objection })
    else if (known.size >= REDIRECTS_MAX) outcomes.push({ objection: `There are already ${REDIRECTS_MAX} redirects.` })
    else {
      known.set(from, to)
      rows.push({ fromPath: from, toPath: to, createdAt: now })
      outcomes.push('added')
    }
  }
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insert(redirect)
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflictDoNothing({ target: redirect.fromPath })
  return outcomes
}

/** Newest first. */
export async function listRedirects(
  db: Reader,
  after: number | undefined,
): Promise<{ redirects: RedirectRow[]; next: number | null }> {
  const rows = await db
    .select({ id: redirect.id, from: redirect.fromPath, to: redirect.toPath })
    .from(redirect)
    .where(after === undefined ? undefined : lt(redirect.id, after))
    .orderBy(desc(redirect.id))
    .limit(A_PAGE + 1)
  const page = rows.slice(0, A_PAGE)
  return { redirects: page, next: rows.length > A_PAGE ? (page.at(-1)?.id ?? null) : null }
}

/** @param typed paths or addresses of this shop @throws Refusal `redirect_refused` */
export async function addRedirectFor(
  { db, clock }: Needs<'db' | 'clock'>,
  by: Actor,
  typed: RedirectPaths,
): Promise<void> {
  const [from, to] = [parseAddress(typed.from), parseAddress(typed.to)]
  const refuse = (reason: string) => new Refusal('redirect_refused', { reason })
  if (!from || from.path === '/') throw refuse('Please enter an old address, such as /products/cap.')
  if (!to || to.host !== null) throw refuse('Please enter a page of this shop, such as /products.')
  const at = clock.now()
  await db.transaction(async (tx) => {
    const [outcome] = await addRedirects(tx, [{ from: from.path, to: to.path }], at)
    if (typeof outcome === 'object') throw refuse(outcome.objection)
    if (outcome === 'added')
      await recordAction(tx, {
        by,
        what: 'added',
        about: { kind: 'redirect', id: from.path },
        after: { to: to.path },
        at,
      })
  })
}

/** Removing what is gone does nothing. */
export async function removeRedirect({ db, clock }: Needs<'db' | 'clock'>, by: Actor, id: number): Promise<void> {
  const at = clock.now()
  await db.transaction(async (tx) => {
    const [removed] = await tx.delete(redirect).where(eq(redirect.id, id)).returning()
    if (!removed) return
    const about = { kind: 'redirect', id: removed.fromPath }
    await recordAction(tx, { by, what: 'removed', about, before: { to: removed.toPath }, at })
  })
}
