import { expect, test } from 'vitest'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import type { Delivery } from '#sandbox/kit/types.ts'
import { startPrintful } from '#sandbox/printful/printful.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { auditPrintful, auditPrintfulEvent } from './accountants/printful.ts'
import type { Json } from './json.ts'
import { walkPrintful } from './walks/printful.ts'
import { openWalk, surprises } from './walks/walk.ts'

test('Printful’s simulator does what Printful documents, and an accountant finds nothing wrong in its orders', async () => {
  const kit = openKit({ speed: 0, log: () => {} })
  const told: Json[] = []
  const ear = { ...kit, deliver: ({ body }: Delivery) => void told.push(JSON.parse(body) as Json) }
  const printful = await startPrintful(ear, {
    port: 0,
    token: 'secret',
    storeId: 77,
    products: seedProducts(demoProducts),
  })
  const walk = openWalk(printful.url, () => ({ authorization: 'Bearer secret' }), {
    hand: { advance: (ms) => kit.clock.advance(ms), change: (wanted) => printful.change(wanted) },
  })
  await walkPrintful(walk, 'walk')
  const now = Math.floor(kit.clock.now().getTime() / 1000)
  await printful.close()
  await kit.close()

  expect(surprises(walk.exchanges)).toEqual([])
  expect(auditPrintful(walk.exchanges, now)).toEqual([])
  expect(told.flatMap((event) => auditPrintfulEvent(event, now))).toEqual([])
})
