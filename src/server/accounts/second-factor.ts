import { createHash, randomBytes } from 'node:crypto'
import { label } from '#brand/label.ts'
import type { UserId } from '#kernel/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { actorOf, recordAction } from '#server/actions/actions.ts'
import type { Context } from '#server/http/context.ts'
import { qrSvg } from '#server/files/qr.ts'
import { Refused } from '#server/http/refused.ts'
import type { Needs } from '#server/shop.ts'
import { tellOfChangeLater } from './account-mails.ts'
import type { LoginLimit } from './login-limit.ts'
import {
  addSecondFactor,
  changeSecondFactor,
  findSecondFactor,
  findUserById,
  putRecoveryCodes,
  removeSecondFactor,
  takeRecoveryCode,
  takeStep,
  type User,
} from './store.ts'
import { addressOfSecret, newSecret, stepOfCode } from './totp.ts'

const RECOVERY_CODES = 10
/** 80 bits, as four groups of four letters. */
const RECOVERY_BYTES = 10

type Changing = Needs<'db' | 'clock' | 'jobs' | 'config'>

/** Codes are typed from a screen or from paper: blanks, dashes and small letters do not matter. */
const bare = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()
const hashOf = (code: string) => createHash('sha256').update(bare(code)).digest('hex')

/** Letters that cannot be mistaken for each other on paper (Crockford's base 32). */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function newRecoveryCode(): string {
  const bits = [...randomBytes(RECOVERY_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const code = (bits.match(/.{5}/g) ?? []).map((five) => letters[parseInt(five, 2)]).join('')
  return (code.match(/.{4}/g) ?? []).join('-')
}

/**
 * Asks for the second factor where there is one; a code is taken once.
 * @throws Refused `code_needed`, `wrong_code`, `too_many`
 */
export async function checkSecondFactor(
  { db, clock }: Needs<'db' | 'clock'>,
  limit: LoginLimit,
  { id, username }: User,
  code: string | undefined,
): Promise<void> {
  const factor = await findSecondFactor(db, id)
  if (!factor?.switchedOnAt) return
  if (!code) throw new Refused('code_needed')
  if (!(await limit.allowsCode(username))) throw new Refused('too_many')
  const step = stepOfCode(factor.secret, bare(code), clock.now())
  const isTaken = await db.transaction((tx) =>
    step === undefined ? takeRecoveryCode(tx, id, hashOf(code)) : takeStep(tx, id, step),
  )
  if (!isTaken) throw wrongCode()
  await limit.forgetCode(username)
}

const wrongCode = () => new Refused('wrong_code', {}, { code: 'This code is not right' })

/**
 * A secret for an authenticator app; one that was begun before is forgotten.
 * @throws Refused `demo_account`, `second_factor_on`
 */
export async function beginSecondFactor({ db, clock, config }: Changing, userId: UserId) {
  const user = await findUserById(db, userId)
  if (!user) throw new Refused('not_signed_in')
  // Everybody knows this account's password: whoever switched it on first would lock all others out.
  if (config.owner?.isDemo && user.username === config.owner.username) throw new Refused('demo_account')
  const secret = newSecret()
  const isBegun = await db.transaction((tx) => addSecondFactor(tx, userId, secret, clock.now()))
  if (!isBegun) throw new Refused('second_factor_on')
  const address = addressOfSecret(secret, label.name, user.username)
  return { secret, address, picture: `data:image/svg+xml;base64,${Buffer.from(qrSvg(address)).toString('base64')}` }
}

/**
 * From now on a code is asked for.
 * @returns recovery codes, which are shown once
 * @throws Refused `wrong_code`, `second_factor_on`
 */
export async function switchOn(shop: Changing, context: Context, userId: UserId, code: string): Promise<string[]> {
  const { db, clock } = shop
  const factor = await findSecondFactor(db, userId)
  if (factor?.switchedOnAt) throw new Refused('second_factor_on')
  const step = factor && stepOfCode(factor.secret, bare(code), clock.now())
  if (step === undefined) throw wrongCode()
  return changed(shop, context, userId, SWITCHED_ON, async (tx) => {
    await changeSecondFactor(tx, userId, { switchedOnAt: clock.now(), lastStep: step })
    return newCodes(tx, userId)
  })
}

export const switchOff = (shop: Changing, context: Context, userId: UserId): Promise<void> =>
  changed(shop, context, userId, SWITCHED_OFF, (tx) => removeSecondFactor(tx, userId))

/** @throws Refused `second_factor_off` */
export async function renewRecoveryCodes(shop: Changing, context: Context, userId: UserId): Promise<string[]> {
  if (!(await findSecondFactor(shop.db, userId))?.switchedOnAt) throw new Refused('second_factor_off')
  return changed(shop, context, userId, NEW_CODES, (tx) => newCodes(tx, userId))
}

async function newCodes(tx: Tx, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await putRecoveryCodes(tx, userId, codes.map(hashOf))
  return codes
}

type Change = { done: string; told: string }

const SWITCHED_ON = { done: 'switched the second factor on', told: 'the second factor was switched on' }
const SWITCHED_OFF = { done: 'switched the second factor off', told: 'the second factor was switched off' }
const NEW_CODES = { done: 'made new recovery codes', told: 'the recovery codes were replaced by new ones' }

/** Writes it into the log of what the owner did, and tells them by mail: whoever did not do it should know. */
async function changed<Made>(
  shop: Changing,
  context: Context,
  userId: UserId,
  { done, told }: Change,
  change: (tx: Tx) => Promise<Made>,
): Promise<Made> {
  const by = await actorOf(context)
  return shop.db.transaction(async (tx) => {
    const made = await change(tx)
    await recordAction(tx, { by, what: done, about: { kind: 'user', id: userId }, at: shop.clock.now() })
    await tellOfChangeLater(shop, tx, await findUserById(tx, userId), told)
    return made
  })
}
