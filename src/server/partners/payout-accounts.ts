import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { MaskedAccount } from '#contract/payout-accounts.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { maskedAccount, type PayoutAccount } from '#domain/partners/payout-account.ts'
import type { UserId } from '#shared/ids.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { findUserContact } from '#server/accounts/users.ts'
import { partner, partnerApplication, payoutAccount } from '#server/partners/schema.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { mailPartnerLater } from './applications.ts'
import { findPartner } from './partner.ts'

type StoredAccount = typeof payoutAccount.$inferSelect

const findAccount = async (db: Reader, partnerId: UserId): Promise<StoredAccount | undefined> =>
  (await db.select().from(payoutAccount).where(eq(payoutAccount.partnerId, partnerId)))[0]

const toMaskedAccount = ({ details, changedAt }: StoredAccount): MaskedAccount => ({
  method: details.method,
  holder: details.holder,
  masked: maskedAccount(details),
  changedAt: changedAt.toISOString(),
})

/** The payout account, masked; undefined if none is set. */
export async function findMaskedAccount(db: Reader, partnerId: UserId): Promise<string | undefined> {
  const found = await findAccount(db, partnerId)
  return found && maskedAccount(found.details)
}

export async function readMaskedPayoutAccount(
  { db }: Needs<'db'>,
  userId: UserId,
): Promise<{ account: MaskedAccount | null }> {
  const found = await findAccount(db, userId)
  return { account: found ? toMaskedAccount(found) : null }
}

/** The email of the partner's account, or of their latest application. */
async function addressOf(db: Reader, id: UserId): Promise<{ name: string; email: string | null } | undefined> {
  const found = await findPartner(db, id)
  if (!found) return undefined
  const name = found.displayName
  const email = (await findUserContact(db, id))?.userEmail
  if (email) return { name, email }
  const [applied] = await db
    .select({ email: partnerApplication.email })
    .from(partnerApplication)
    .where(and(eq(partnerApplication.userId, id), isNotNull(partnerApplication.email)))
    .orderBy(desc(partnerApplication.id))
    .limit(1)
  return { name, email: applied?.email ?? null }
}

/**
 * Changes where a partner is paid. The partner's known emails, including the old wallet's, get a notice, in case somebody stole the
 * password.
 */
export async function changeAccount(
  shop: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  userId: UserId,
  given: PayoutAccount,
): Promise<{ account: MaskedAccount }> {
  const now = shop.clock.now()
  const account = { ...given, holder: maskCardNumbers(given.holder) }
  return shop.db.transaction(async (tx) => {
    const [held] = await tx.select().from(partner).where(eq(partner.id, userId)).for('update')
    if (!held) throw new Refusal('not_allowed')
    const before = await findAccount(tx, userId)
    const row = { partnerId: userId, details: account, changedAt: now }
    await tx.insert(payoutAccount).values(row).onConflictDoUpdate({ target: payoutAccount.partnerId, set: row })
    const known = await addressOf(tx, userId)
    const wallet = before?.details.method === 'wallet' ? before.details.email : null
    for (const email of new Set([known?.email, wallet].filter((address) => typeof address === 'string')))
      await mailPartnerLater(shop, tx, {
        kind: 'payout_account_changed',
        about: randomUUID(),
        email,
        name: held.displayName,
        mail: before ? 'payout_account_changed' : 'payout_account_added',
        values: {
          account: maskedAccount(account),
          ...(before && { 'old-account': maskedAccount(before.details) }),
        },
        button: 'See it in the portal',
        now,
      })
    return { account: toMaskedAccount(row) }
  })
}

/** Emails a partner about a payout if there is an address; the statement in the portal shows it either way. */
export async function mailPayoutLater(
  shop: Needs<'jobs' | 'config'>,
  tx: Tx,
  {
    partnerId,
    reference,
    mail,
    values,
    now,
  }: {
    partnerId: UserId
    reference: string
    mail: 'payout_sent' | 'payout_returned'
    values: Readonly<Record<string, string>>
    now: Date
  },
): Promise<void> {
  const known = await addressOf(tx, partnerId)
  if (!known?.email) return
  await mailPartnerLater(shop, tx, {
    kind: 'partner_payout',
    about: `${reference} ${now.getTime()}`,
    email: known.email,
    name: known.name,
    mail,
    values: { reference, ...values },
    button: 'See your earnings',
    now,
  })
}

/** The unmasked account, for the owner who just confirmed the password; recorded in the audit log. @throws Refusal `unknown_payout_account` */
export async function revealAccount(
  { db, clock }: Needs<'db' | 'clock'>,
  by: Actor,
  partnerId: UserId,
): Promise<{ facts: { name: string; value: string }[] }> {
  return db.transaction(async (tx) => {
    const found = await findAccount(tx, partnerId)
    if (!found) throw new Refusal('unknown_payout_account')
    const what = 'viewed the payout account of'
    await recordAction(tx, { by, what, about: { kind: 'partner', id: partnerId }, at: clock.now() })
    const facts = Object.entries(accountColumns(found.details)).filter(([, value]) => value !== '')
    return { facts: facts.map(([name, value]) => ({ name, value })) }
  })
}

/** Column titles and values; values that the method lacks are empty. */
export function accountColumns(account: PayoutAccount) {
  const { method, holder } = account
  return {
    Method: { iban: 'Bank (IBAN)', account: 'Bank (account number)', wallet: 'Wallet' }[method],
    'Account holder': holder,
    IBAN: method === 'iban' ? account.iban : '',
    BIC: method === 'iban' ? (account.bic ?? '') : '',
    'Routing number': method === 'account' ? account.routingNumber : '',
    'Account number': method === 'account' ? account.accountNumber : '',
    'Wallet email': method === 'wallet' ? account.email : '',
  }
}
