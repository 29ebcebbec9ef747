import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '#shared/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { actorOf, recordAction } from '#server/audit-log/audit-log.ts'
import type { Context } from '#server/http/context.ts'
import { qrSvg } from '#server/files/qr.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { mailAccountChangeLater } from './account-mails.ts'
import type { LoginLimit } from '#server/limits/login-limit.ts'
import {
  addSecondFactor,
  changeSecondFactor,
  findSecondFactor,
  findUserById,
  replaceRecoveryCodes,
  removeSecondFactor,
  consumeRecoveryCode,
  consumeTotpStep,
  type User,
} from './store.ts'
import { addressOfSecret, newSecret, totpStepOf } from './totp.ts'

const RECOVERY_CODES = 10
/** 80 bits: four groups of four letters. */
const RECOVERY_BYTES = 10

type SecondFactorNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

/** People type codes from a screen or paper: spaces, dashes and case do not matter. */
const normalizeCode = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()
const hashOf = (code: string) => createHash('sha256').update(normalizeCode(code)).digest('hex')

/** Letters that are hard to confuse on paper (Crockford's base 32). */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function newRecoveryCode(): string {
  const bits = [...randomBytes(RECOVERY_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const code = (bits.match(/.{5}/g) ?? []).map((five) => letters[parseInt(five, 2)]).join('')
  return (code.match(/.{4}/g) ?? []).join('-')
}

/**
 * Checks the second factor, if it is on. A code works once.
 * @throws Refusal `code_needed`, `wrong_code`, `too_many`
 */
export async function checkSecondFactor(
  { db, clock }: Needs<'db' | 'clock'>,
  limit: LoginLimit,
  { id, username }: User,
  code: string | undefined,
): Promise<void> {
  const factor = await findSecondFactor(db, id)
  if (!factor?.switchedOnAt) return
  if (!code) throw new Refusal('code_needed')
  if (!(await limit.allowsCode(username))) throw new Refusal('too_many')
  const step = totpStepOf(factor.secret, normalizeCode(code), clock.now())
  const isTaken = await db.transaction((tx) =>
    step === undefined ? consumeRecoveryCode(tx, id, hashOf(code)) : consumeTotpStep(tx, id, step),
  )
  if (!isTaken) throw wrongCode()
  await limit.forgetCode(username)
}

const wrongCode = () => new Refusal('wrong_code', {}, { code: 'This code is wrong or was already used' })

/**
 * Creates the secret for an authenticator app; an unfinished setup is replaced.
 * @throws Refusal `demo_account`, `second_factor_on`
 */
export async function beginSecondFactor({ db, clock, config }: SecondFactorNeeds, userId: UserId) {
  const user = await findUserById(db, userId)
  if (!user) throw new Refusal('not_signed_in')
  // Everybody knows the demo password: the first visitor to switch this on would lock all others out.
  if (config.owner?.isDemo && user.username === config.owner.username) throw new Refusal('demo_account')
  const secret = newSecret()
  const isBegun = await db.transaction((tx) => addSecondFactor(tx, userId, secret, clock.now()))
  if (!isBegun) throw new Refusal('second_factor_on')
  const address = addressOfSecret(secret, (await readSiteSettings(db)).name, user.username)
  return { secret, address, picture: `data:image/svg+xml;base64,${Buffer.from(qrSvg(address)).toString('base64')}` }
}

/**
 * Switches the second factor on.
 * @returns recovery codes, to be shown once
 * @throws Refusal `wrong_code`, `second_factor_on`
 */
export async function enableSecondFactor(
  shop: SecondFactorNeeds,
  context: Context,
  userId: UserId,
  code: string,
): Promise<string[]> {
  const { db, clock } = shop
  const factor = await findSecondFactor(db, userId)
  if (factor?.switchedOnAt) throw new Refusal('second_factor_on')
  const step = factor && totpStepOf(factor.secret, normalizeCode(code), clock.now())
  if (step === undefined) throw wrongCode()
  return recordChange(shop, context, userId, SWITCHED_ON, async (tx) => {
    await changeSecondFactor(tx, userId, { switchedOnAt: clock.now(), lastStep: step })
    return newCodes(tx, userId)
  })
}

export const disableSecondFactor = (shop: SecondFactorNeeds, context: Context, userId: UserId): Promise<void> =>
  recordChange(shop, context, userId, SWITCHED_OFF, (tx) => removeSecondFactor(tx, userId))

/** @throws Refusal `second_factor_off` */
export async function renewRecoveryCodes(shop: SecondFactorNeeds, context: Context, userId: UserId): Promise<string[]> {
  if (!(await findSecondFactor(shop.db, userId))?.switchedOnAt) throw new Refusal('second_factor_off')
  return recordChange(shop, context, userId, NEW_CODES, (tx) => newCodes(tx, userId))
}

async function newCodes(tx: Tx, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await replaceRecoveryCodes(tx, userId, codes.map(hashOf))
  return codes
}

type Change = { done: string; mailText: string }

const SWITCHED_ON = { done: 'switched the second factor on', mailText: 'the second factor was switched on' }
const SWITCHED_OFF = { done: 'switched the second factor off', mailText: 'the second factor was switched off' }
const NEW_CODES = { done: 'made new recovery codes', mailText: 'the recovery codes were replaced with new ones' }

/** Records the change in the audit log and emails the owner, in case somebody else made it. */
async function recordChange<Made>(
  shop: SecondFactorNeeds,
  context: Context,
  userId: UserId,
  { done, mailText }: Change,
  change: (tx: Tx) => Promise<Made>,
): Promise<Made> {
  const by = await actorOf(context)
  return shop.db.transaction(async (tx) => {
    const made = await change(tx)
    await recordAction(tx, { by, what: done, about: { kind: 'user', id: userId }, at: shop.clock.now() })
    await mailAccountChangeLater(shop, tx, await findUserById(tx, userId), mailText)
    return made
  })
}
