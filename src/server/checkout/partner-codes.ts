import type { NewPartnerCode, PartnerCodes } from '#contract/partner-codes.ts'
import { paths } from '#contract/paths.ts'
import { normalizeCode, partnersRule } from '#domain/codes/code.ts'
import type { UserId } from '#shared/ids.ts'
import { ZERO } from '#shared/money.ts'
import { partnerActor, recordAction } from '#server/audit-log/audit-log.ts'
import { Refusal } from '#server/http/refusal.ts'
import { sumsByCode } from '#server/partners/commission.ts'
import { lockPartner } from '#server/partners/partner.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { countMadeBy, listCodes } from './code-rows.ts'
import { aboutOf, addCode, endCode, LIST_MAX, statusOf } from './codes.ts'

type CodeNeeds = Needs<'db' | 'clock'>

const NOTHING = { orders: 0, earned: ZERO }

/** @param origin of the shop, for links */
export async function showPartnerCodes(
  { db, clock }: CodeNeeds,
  partnerId: UserId,
  origin: string,
): Promise<PartnerCodes> {
  const { percent, active } = (await readSiteSettings(db)).partnerCodes
  const sums = await sumsByCode(db, partnerId)
  const stored = await listCodes(db, LIST_MAX, partnerId)
  return {
    ...{ percentMax: percent, activeMax: active, active: await countMadeBy(db, partnerId) },
    codes: stored.map((one) => ({
      ...{ id: one.id, code: one.code, address: `${origin}${paths.home}?code=${one.code}` },
      ...{ benefit: one.rule.benefit, status: statusOf(one, clock.now()), isOwn: one.isMadeByPartner },
      ...(sums.get(one.id) ?? NOTHING),
    })),
  }
}

/**
 * Makes a partner's code within the owner's bounds. What it may leave of a sale was judged when the owner set them.
 * @throws Refusal `code_taken`, `no_own_codes`, `too_many_codes`; `invalid` for a percentage above the owner's; `not_allowed` once the
 *   partnership has ended
 */
export async function makePartnerCode(
  { db, clock }: CodeNeeds,
  partnerId: UserId,
  { code: typed, percent }: NewPartnerCode,
): Promise<void> {
  const [rule, at] = [partnersRule(percent), clock.now()]
  await db.transaction(async (tx) => {
    // Locked: two tabs never make one code too many.
    if ((await lockPartner(tx, partnerId))?.state !== 'active') throw new Refusal('not_allowed')
    const bounds = (await readSiteSettings(tx)).partnerCodes
    if (bounds.percent === 0) throw new Refusal('no_own_codes')
    if (percent > bounds.percent)
      throw new Refusal('invalid', {}, { percent: `Please enter at most ${bounds.percent}` })
    if ((await countMadeBy(tx, partnerId)) >= bounds.active)
      throw new Refusal('too_many_codes', { count: String(bounds.active) })
    const row = { code: normalizeCode(typed), partnerId, isMadeByPartner: true, rule, createdAt: at }
    const about = aboutOf(await addCode(tx, row))
    const after = { rule: JSON.stringify(rule), partnerId }
    await recordAction(tx, { by: partnerActor(partnerId), what: 'made', about, after, at })
  })
}

/** Ends a code that the partner made. @throws Refusal `unknown_code`, also for everybody else's */
export const endPartnerCode = (shop: CodeNeeds, partnerId: UserId, id: number): Promise<string> =>
  endCode(shop, id, partnerActor(partnerId), partnerId)
