import { listCollections } from '#server/catalog/collections.ts'
import { listTypeChoices } from '#server/catalog/products.ts'
import { listAdminCodes } from '#server/checkout/codes.ts'
import { sumsOfCodes } from '#server/orders/code-sums.ts'
import { listPartnerNames } from '#server/partners/partner.ts'
import type { Needs } from '#server/shop.ts'
import { ZERO } from '#shared/money.ts'

const NO_ORDERS = { orders: 0, off: ZERO, sales: ZERO }

/** All codes with their paid orders, and what a new one can be for. */
export async function showCodes(shop: Needs<'db' | 'clock'>) {
  const sums = await sumsOfCodes(shop.db)
  const partners = await listPartnerNames(shop.db)
  const names = new Map(partners.map(({ id, name }) => [id, name]))
  return {
    codes: (await listAdminCodes(shop)).map(({ partnerId, ...code }) => ({
      ...{ ...code, ...(sums.get(code.id) ?? NO_ORDERS) },
      partner: partnerId && (names.get(partnerId) ?? ''),
    })),
    choices: {
      types: await listTypeChoices(shop.db),
      collections: (await listCollections(shop.db)).map(({ id, name }) => ({ id, name })),
      partners: partners.filter(({ state }) => state === 'active').map(({ id, name }) => ({ id, name })),
    },
  }
}
