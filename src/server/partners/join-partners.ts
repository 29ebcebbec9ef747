import { randomBytes } from 'node:crypto'
import { linkCodeFrom, nameCodeOf } from '#domain/partners/pages.ts'
import { assert } from '#shared/assert.ts'
import type { UserId } from '#shared/ids.ts'
import { markAsPartner } from '#server/accounts/users.ts'
import type { Tx } from '#server/db/db.ts'
import { findLink } from './attribution.ts'
import { addPartner, findPartner } from './partner.ts'

type NewPartner = { userId: UserId; displayName: string; channelUrl: string | null; now: Date }

const TRIES = 5

/** Makes a user a partner, with a code derived from the name. Existing partners stay unchanged. */
export async function joinPartners(tx: Tx, { userId, displayName, channelUrl, now }: NewPartner): Promise<void> {
  await markAsPartner(tx, userId)
  if (await findPartner(tx, userId)) return
  const name = nameCodeOf(displayName) || 'partner'
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const code = attempt === 0 ? name : `${name}-${linkCodeFrom(randomBytes(4))}`
    if (await findLink(tx, code)) continue
    await addPartner(tx, { id: userId, displayName, channelUrl, code, joinedAt: now })
    // Another partner with this name may have taken the code at the same moment.
    if (await findPartner(tx, userId)) return
  }
  assert(false, `no code was free for ${displayName}`)
}
